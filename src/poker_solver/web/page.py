"""The page that all addresses open: one file of HTML, told which modules it will need.

A browser that finds imports only module by module waits a round trip for each level of them.
"""

import re
from functools import cache
from pathlib import Path

STATIC = Path(__file__).parent / "static"

_IMPORT = re.compile(r"""(?:from|^import) "(/static/[^"]+\.js)";""", re.MULTILINE)
_MAIN = "/static/js/main.js"
_BEFORE = '  <script type="module"'


@cache
def page_html(name: str) -> str:
    """The page of this name, `study`; one that there is not begins like any other."""
    html = (STATIC / "index.html").read_text(encoding="utf-8")
    links = [f'  <link rel="modulepreload" href="{path}">\n' for path in modules_of(name)]
    return html.replace(_BEFORE, "".join(links) + _BEFORE, 1)


def modules_of(name: str) -> list[str]:
    """Addresses of the modules that a page is drawn with."""
    pages = {path.stem: path for path in (STATIC / "js" / "pages").glob("*.js")}
    left = [_MAIN, *([f"/static/js/pages/{name}.js"] if name in pages else [])]
    found = dict.fromkeys(left)
    while left:
        text = (STATIC / left.pop(0).removeprefix("/static/")).read_text(encoding="utf-8")
        new = [path for path in _IMPORT.findall(text) if path not in found]
        found.update(dict.fromkeys(new))
        left += new
    return list(found)
