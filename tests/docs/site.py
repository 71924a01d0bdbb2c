#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The site of docs/ as a reader meets it: built without a warning, served, every link followed from the index, one
word searched in a browser. Exit code 77 where mkdocs is not installed; without chromium the search is left out."""
import functools
import html.parser
import http.server
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.ids = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name == "id":
                self.ids.add(value)


# Types a word into the site's search, in a frame, and tells the server what was found. The picture keeps the
# browser from calling the page complete before.
PROBE = """<!doctype html><iframe src="index.html" width="1200" height="800"></iframe><img src="wait.png"><script>
let turn = 0;
const asking = setInterval(() => {
  const page = document.querySelector("iframe").contentDocument;
  const field = page && page.querySelector("input.md-search__input");
  if (!field) return;
  const hits = [...page.querySelectorAll(".md-search-result__link")].map(link => link.getAttribute("href"));
  if (hits.length) { clearInterval(asking); fetch("found?" + hits.join(",")); return; }
  // A word that has not changed is not searched again, though it was typed before the index had come: it is
  // taken away, typed and waited for, which takes seconds on a busy machine.
  const step = turn++ % 10;
  if (step > 1) return;
  page.getElementById("__search").checked = true;
  page.getElementById("__search").dispatchEvent(new Event("change"));
  field.focus();
  field.value = step ? "WORD" : "";
  field.dispatchEvent(new KeyboardEvent("keyup", {key: "e"}));
}, 1000);
</script>"""


class Handler(http.server.SimpleHTTPRequestHandler):
    found, hits = threading.Event(), ""

    def do_GET(self):
        if self.path.startswith("/found?"):
            Handler.hits = self.path
            Handler.found.set()
        if self.path == "/wait.png":
            Handler.found.wait(90)  # a cold browser on a busy machine
        if self.path.startswith(("/found?", "/wait.png")):
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()

    def log_message(self, *_):
        pass


def follow(start):
    """Every page that can be reached; what is missing, and by whom it is named."""
    pages, faults, due = {}, [], [start]
    while due:
        url = due.pop()
        with urllib.request.urlopen(url) as answer:
            isPage = "html" in answer.headers["Content-Type"]
            text = answer.read()
            pages[url] = Page(text.decode()) if isPage else None
        for link in pages[url].links if pages[url] else []:
            target, anchor = urllib.parse.urldefrag(urllib.parse.urljoin(url, link))
            if not target.startswith(start.rsplit("/", 1)[0]):
                continue
            try:
                if target not in pages and target not in due:
                    urllib.request.urlopen(urllib.request.Request(target, method="HEAD")).close()
                    due.append(target)
            except urllib.error.HTTPError as error:
                faults.append(f"{url}: {link}: {error}")
                pages[target] = None
    for url, page in pages.items():
        for link in page.links if page else []:
            target, anchor = urllib.parse.urldefrag(urllib.parse.urljoin(url, link))
            if anchor and pages.get(target) and anchor not in pages[target].ids and not anchor.startswith("__"):
                faults.append(f"{url}: no heading for {link}")
    return pages, faults


def search(start, folder, word):
    """A guide that explains the word is among what the browser finds."""
    browser = shutil.which("chromium")
    if not browser:
        return []
    (folder / "probe.html").write_text(PROBE.replace("WORD", word))
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}", "--dump-dom",
                        start.replace("index.html", "probe.html")], capture_output=True, timeout=150)
    return [] if "guides/deep.html" in Handler.hits else [f"searching {word} found {Handler.hits or 'nothing'}"]


def main():
    if not shutil.which("mkdocs"):
        print("needs mkdocs")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        built = subprocess.run(["mkdocs", "build", "--quiet", "--strict", "--site-dir", folder], cwd=ROOT, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if built.returncode:
            print(built.stdout)
            return 1
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        start = f"http://127.0.0.1:{server.server_port}/index.html"
        pages, faults = follow(start)
        faults += search(start, pathlib.Path(folder), "cryptomatte")
        server.shutdown()
    print("\n".join(faults) or f"{len(pages)} addresses")
    return 1 if faults or len(pages) < 40 else 0


if __name__ == "__main__":
    sys.exit(main())
