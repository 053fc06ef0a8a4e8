"""The explorer on a terminal: reads lines with editing and history, prints replies; no logic."""

import io
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from poker_solver.cli.pages.explorer import InteractiveSession
from poker_solver.cli.pages.node import render_page
from poker_solver.explore.shown import Shown


def show_or_run(session: InteractiveSession, *, interactive: bool) -> bool:
    """On a terminal the explorer, elsewhere the page; whether it was the explorer."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without our dots still gets the rest
    console = _console(session)
    if interactive and sys.stdin.isatty() and sys.stdout.isatty():
        run(session, console)
        return True
    here = session.here  # without a hint of what could be typed
    page = render_page(
        here.view, look=here.look, width=session.width, color=session.color,
        palette=session.palette,
    )  # fmt: skip
    show(console, page)
    return False


def show_all(session: InteractiveSession, shown: Sequence[Shown]) -> None:
    """Print these and leave."""
    console = _console(session)
    show(console, Text("\n").join(session.render(one) for one in shown))


def _console(session: InteractiveSession) -> Console:
    """Standard output, and the session drawn to fit it."""
    console = Console(highlight=False, markup=False)
    session.width, session.color = console.width, has_color(console)
    return console


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
    waiting = ""
    while True:
        try:
            typed = waiting or input(session.prompt)
        except EOFError:
            show(console, Text("\n"))
            return
        except KeyboardInterrupt:  # gives up the line, not the program
            show(console, Text("\n"))
            continue
        waiting = ""
        session.width, session.color = console.width, has_color(console)  # it may be resized
        try:
            reply = session.handle(typed)
        except KeyboardInterrupt:
            show(console, Text("stopped; nothing has changed\n", "bold"))
            continue
        if reply.is_table:
            waiting = show_paged(console, reply.text)
        else:
            show(console, reply.text)
        if reply.done:
            return


def show_paged(console: Console, text: Text) -> str:
    """A screen at a time where it is longer than one; each begins with the head of its table.

    A line that was typed in place of going on, to be answered next; empty if there is none.
    """
    lines = text.split("\n")
    room, head, begin = max(console.height - 2, 4), Text(), 0
    while begin < len(lines):
        screen = [] if begin == 0 or is_head(lines[begin]) or not head.plain else [head]
        end = min(begin + room - len(screen), len(lines))
        screen += lines[begin:end]
        head = next((line for line in reversed(screen) if is_head(line)), head)
        show(console, Text("\n").join(screen).append("\n"))
        begin = end
        typed = _more(len(lines) - begin) if begin < len(lines) else ""
        if typed:
            return "" if typed.lower() == "q" else typed
    return ""


def is_head(line: Text) -> bool:
    """Whether a line is bold from end to end, as heads of tables are."""
    bold = (span for span in line.spans if span.style == "bold")
    return bool(line.plain.strip()) and any(
        span.start == 0 and span.end >= len(line) for span in bold
    )


def _more(num_left: int) -> str:
    """Ask whether to show the rest: nothing goes on, q stops, so does whatever else is typed."""
    lines = "1 more line" if num_left == 1 else f"{num_left} more lines"
    try:
        return input(f"-- {lines}: Enter goes on, q stops -- ").strip()
    except (EOFError, KeyboardInterrupt):
        return "q"


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
