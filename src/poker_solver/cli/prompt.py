"""The explorer on a terminal: reads lines with editing and history, prints replies; no logic."""

import io
import sys

from rich.console import Console
from rich.text import Text

from poker_solver.cli.pages.explorer import InteractiveSession
from poker_solver.cli.pages.node import render_page


def show_or_run(session: InteractiveSession, *, interactive: bool) -> None:
    """On a terminal the explorer, elsewhere the page."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without our dots still gets the rest
    console = Console(highlight=False, markup=False)
    session.width, session.color = console.width, has_color(console)
    if interactive and sys.stdin.isatty() and sys.stdout.isatty():
        run(session, console)
    else:
        here, width, color = session.here, session.width, session.color
        show(console, render_page(here.view, look=here.look, width=width, color=color))


def has_color(console: Console) -> bool:
    """Whether colours come through; `NO_COLOR`, a pipe or a plain terminal say no."""
    return console.color_system is not None and not console.no_color


def show(console: Console, text: Text) -> None:
    """Print as laid out: nothing is wrapped, marked up or highlighted a second time."""
    console.print(text, end="", no_wrap=True, overflow="crop", crop=True, highlight=False)


def run(session: InteractiveSession, console: Console) -> None:
    """Show where we are, then answer line by line until `q` or the end of input."""
    _edit_lines(session)
    show(console, session.page())
    show(console, Text("? for help, q to quit\n", "dim"))
    while True:
        try:
            typed = input(session.prompt)
        except EOFError:
            show(console, Text("\n"))
            return
        except KeyboardInterrupt:  # gives up the line, not the program
            show(console, Text("\n"))
            continue
        session.width, session.color = console.width, has_color(console)  # it may be resized
        try:
            reply = session.handle(typed)
        except KeyboardInterrupt:
            show(console, Text("stopped; nothing has changed\n", "bold"))
            continue
        show(console, reply.text)
        if reply.done:
            return


def _edit_lines(session: InteractiveSession) -> None:
    """Arrow keys, history and Tab at the prompt, where the platform has readline."""
    try:
        import readline
    except ImportError:
        return

    def complete(begun: str, number: int) -> str | None:
        found = session.completions(begun)
        return found[number] if number < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    readline.set_auto_history(True)
    uses_libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if uses_libedit else "tab: complete")
    sys.stdout.flush()
