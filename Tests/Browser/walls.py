"""Shows hostile inputs in the frames of a page, and says what each of them did.

Three servers on this machine: the page's own, `evil` and `pictures`. A fourth port counts connections. Each request has
its input's number in its path.
"""

import json
import re
import socket
import struct
import threading
import zlib
from collections import defaultdict
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

PARENT = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>Parent</title><link rel="icon" href="data:,">
<script src="/parent.js"></script></head><body><h1>Parent</h1><div id="frames"></div></body></html>"""

# The page around the frames. What it says of itself has to be the same before and after.
SCRIPT = """
const heard = [];
let loads = {};
addEventListener('message', event => heard.push(event.data));
function look() {
    const copy = document.documentElement.cloneNode(true);
    copy.querySelector('#frames')?.replaceChildren();
    const heading = document.querySelector('h1')?.getBoundingClientRect();
    return JSON.stringify({
        html: copy.outerHTML, title: document.title, address: location.href, name: window.name, cookie: document.cookie,
        // A number is a frame.
        names: Object.keys(window).filter(name => !/^[0-9]+$/.test(name)).length,
        focus: document.activeElement?.tagName === 'IFRAME' ? 'BODY' : document.activeElement?.tagName,
        above: heading && document.elementFromPoint(heading.x + 3, heading.y + 3)?.tagName,
    });
}
function pause(milliseconds) { return new Promise(done => setTimeout(done, milliseconds)); }
let before;
async function show(wall, ids, attributes, patience, settling) {
    before = look();
    loads = {};
    const all = ids.map(id => new Promise(done => {
        const frame = document.createElement('iframe');
        for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value);
        frame.width = 120;
        frame.height = 60;
        loads[id] = 0;
        frame.addEventListener('load', () => { loads[id] += 1; done(); });
        frame.src = `/frames/${wall}/${id}/`;
        document.querySelector('#frames').append(frame);
    }));
    // A frame that loads for ever isn't waited for.
    await Promise.race([Promise.all(all), pause(patience)]);
    await pause(settling);
    return [...document.querySelectorAll('iframe')].map(frame => frame.getBoundingClientRect())
        .map(place => [place.x, place.y]);
}
function seen() {
    const gone = [...document.querySelectorAll('iframe')].filter(frame => {
        try { return frame.contentWindow.location.pathname !== new URL(frame.src).pathname; } catch { return false; }
    }).map(frame => Number(frame.src.split('/')[5]));
    return {heard, loads, gone, before, after: look()};
}
"""


def png():
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 52)) + chunk(b"IEND", b"")


PICTURE = png()


@dataclass(frozen=True)
class Wall:
    """What stands between the inputs and the page: nothing, unless something is named."""

    name: str
    # Whether the inputs are shown cleaned.
    cleaned: bool = False
    # Of the frame's document, of its element, and of the page around it.
    policy: str | None = None
    attributes: dict = field(default_factory=dict)
    page_policy: str | None = None
    # How long a frame may take to load, in seconds.
    patience: int = 20

    @property
    def is_open(self):
        """Whether there is no wall."""
        return not self.cleaned and self.policy is None and not self.attributes

    def without(self, name, *, policy=(), sandbox=(), page_policy=True):
        """The same with other directives of its policy, and more tokens in both sandboxes."""
        kept = [part.strip() for part in (self.policy or "").split(";")]
        changed = {part.split()[0] for part in policy}
        kept = [part for part in kept if part and part.split()[0] not in changed]
        kept += [part for part in policy if len(part.split()) > 1]
        kept = [part + " " + " ".join(sandbox) if part.startswith("sandbox") else part for part in kept]
        attributes = dict(self.attributes)
        if sandbox:
            attributes["sandbox"] = attributes["sandbox"] + " " + " ".join(sandbox)
        return replace(
            self, name=name, policy="; ".join(kept), attributes=attributes,
            page_policy=self.page_policy if page_policy else None, patience=2,
        )


class Servers:
    """The servers of one run."""

    def __init__(self, inputs, cleaned):
        self.inputs, self.walls = inputs, {}
        self.cleaned = cleaned
        self.requests, self._lock = [], threading.Lock()
        self.connections = 0
        self.page, self.evil, self.pictures = [self._serve(name) for name in ("page", "evil", "pictures")]
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.connect = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._count, daemon=True).start()

    def fill(self, id, html):
        """An input with what belongs to it."""
        # In a tab that a frame has opened, the page is above the opener.
        js = f"(window.opener||self).top.postMessage({id},String.fromCharCode(42))"
        run = (
            f"try{{top.postMessage({id},'*')}}catch(e){{}};try{{top.document.title='{id}'}}catch(e){{}};"
            f"new Image().src='{self.evil}/{id}/ran'"
        )
        for name, value in [
            ("%JS%", js), ("%RUN%", run), ("%EVILHOST%", f"{self.evil.removeprefix('http://')}/{id}"),
            ("%EVIL%", f"{self.evil}/{id}"), ("%PICTURES%", f"{self.pictures}/{id}"), ("%CONNECT%", self.connect),
            ("%ID%", str(id)),
        ]:
            html = html.replace(name, value)
        return html

    def taken(self):
        """The requests since the last time."""
        with self._lock:
            taken, self.requests = self.requests, []
        return taken

    def close(self):
        for server in self._servers:
            server.shutdown()
            server.server_close()
        self._listener.close()

    _servers: list

    def _count(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            connection.close()

    def _serve(self, name):
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def log_message(self, *_):
                pass

            def do_GET(self):
                length = int(self.headers.get("Content-Length", 0))
                if length:
                    self.rfile.read(length)
                status, type, body, headers = owner._answer(name, self.path, self.headers)
                self.send_response(status)
                self.send_header("Content-Type", type)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Access-Control-Allow-Origin", "*")
                for key, value in headers.items():
                    self.send_header(key, value)
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_OPTIONS = do_GET

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 256

            def handle_error(self, *_):
                # A browser that was closed has left its connections.
                pass

        server = Server(("127.0.0.1", 0), Handler)
        self._servers = getattr(self, "_servers", []) + [server]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}"

    def _answer(self, server, path, headers):
        if server == "page":
            if path == "/parent.js":
                return 200, "text/javascript", SCRIPT.encode(), {}
            if found := re.fullmatch(r"/parents/(\w+)", path):
                policy = self.walls[found[1]].page_policy
                return 200, "text/html", PARENT.encode(), {"Content-Security-Policy": policy} if policy else {}
            if found := re.fullmatch(r"/frames/(\w+)/(\d+)/", path):
                return self._document(self.walls[found[1]], int(found[2]))
        if path == "/favicon.ico":
            # A tab's, and of no input.
            return 404, "text/plain", b"", {}
        with self._lock:
            kind = "prefetch" if headers.get("Sec-Purpose") == "prefetch" else headers.get("Sec-Fetch-Dest")
            self.requests.append((server, path, kind, headers.get("Referer", "")))
        if server == "page":
            return 404, "text/plain", b"", {}
        id = (re.search(r"/(\d+)(?:/|$)", path) or [0, 0])[1]
        if path.endswith(".js"):
            return 200, "text/javascript", f"top.postMessage({id},'*')".encode(), {}
        if path.endswith(".css"):
            return 200, "text/css", f"p{{background:url({self.evil}/{id}/of-style.png)}}".encode(), {}
        if path.endswith(".html"):
            # Opened from a frame, it reaches for what has opened it.
            run = (
                f"top.postMessage({id},'*');if(opener){{opener.top.postMessage([{id}],'*');"
                f"opener.top.location='{self.evil}/{id}/opener'}}"
            )
            return 200, "text/html", f"<script>{run}</script>".encode(), {}
        if ".svg" in path:
            run = f"top.postMessage({id},'*')"
            return 200, "image/svg+xml", (
                f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>{run}</script>'
                '<g id="a"><rect width="9" height="9"/></g></svg>'
            ).encode(), {}
        if path.endswith(".vtt"):
            return 200, "text/vtt", b"WEBVTT\n", {}
        return 200, "image/png" if path.endswith(".png") else "text/plain", PICTURE, {}

    def _document(self, wall, id):
        if wall.cleaned:
            head = '<!DOCTYPE html><html><head><meta charset="utf-8"></head>'
            html = f"{head}<body>{self.cleaned[id]['markup']}</body></html>"
        else:
            html = self.fill(id, self.inputs[id].html)
        headers = {"Cache-Control": "no-store"}
        if wall.policy:
            headers["Content-Security-Policy"] = wall.policy
        return 200, "text/html; charset=utf-8", html.encode(errors="replace"), headers


class Runner:
    """Shows inputs in a browser behind a wall."""

    # The inputs in one page, and for how long the page is looked at after all of them were loaded.
    batch, settling = 40, 0.3

    def __init__(self, servers, start):
        self.servers, self._start = servers, start
        self.browser = start()

    def close(self):
        self.browser.close()

    def run(self, wall, ids, clicks=False):
        """Returns what each input did, by its number; nothing for those that did nothing.

        With `clicks`, the upper left corner of each is clicked. Behind no wall, inputs that may take the page along
        have it for themselves. A batch in which something can't be laid at one input's door is shown again, one input
        at a time.
        """
        self.servers.walls[wall.name] = wall
        self.servers.taken()
        done = defaultdict(set)
        single = [id for id in ids if wall.is_open and self.servers.inputs[id].leaves]
        others = [id for id in ids if id not in set(single)]
        batches = [others[at : at + self.batch] for at in range(0, len(others), self.batch)] + [[id] for id in single]
        for batch in batches:
            self._show(wall, batch, clicks, done)
        self._note_requests(wall, set(ids), clicks, done)
        return {id: sorted(what) for id, what in done.items() if what}

    def _show(self, wall, batch, clicks, done):
        connections = self.servers.connections
        seen, unclear = None, set()
        try:
            self._open(wall)
            values = [wall.name, batch, wall.attributes, 1_000 * wall.patience, 1_000 * self.settling]
            places = self.browser.evaluate(f"show({', '.join(map(json.dumps, values))})")
            if clicks:
                for x, y in places:
                    self.browser.click(int(x) + 30, int(y) + 25)
                    unclear |= self._opened(clicks)
            unclear |= self._opened(clicks)
            seen = self.browser.evaluate("seen()")
        except RuntimeError as error:
            unclear.add("left the page: " + str(error).split("\n")[0][:160])
        except TimeoutError as error:
            unclear.add("hung the browser: " + str(error)[:160])
            self._restart()
        if seen:
            for id in seen["heard"]:
                if type(id) is int and 0 <= id < len(self.servers.inputs):
                    done[id].add("ran")
                elif type(id) is list and not wall.cleaned and clicks:
                    # The cleaner keeps a link's target from knowing its opener. The frame lets it, and nothing more.
                    pass
                else:
                    unclear.add("sent a message")
            # A link that was clicked can lead its frame to an error. What it led to would have been requested.
            if wall.cleaned or not clicks:
                for id in seen["gone"] + [int(id) for id, count in seen["loads"].items() if count > 1]:
                    done[id].add("left its document")
            if not wall.is_open:
                for id in [int(id) for id, count in seen["loads"].items() if count == 0]:
                    done[id].add("was never loaded")
            if seen["before"] != seen["after"]:
                unclear.add("touched the page")
        if self.servers.connections > connections:
            unclear.add("connected")
        # Behind no wall, what the inputs of a batch do together isn't sorted out.
        if not unclear or wall.is_open and len(batch) > 1:
            return
        if len(batch) == 1:
            done[batch[0]] |= unclear
        else:
            for id in batch:
                self._show(wall, [id], clicks, done)

    def _opened(self, clicks):
        """What other tabs there are. A click may open one: what runs there in the frame's name says so."""
        opened = {re.sub(r":\d+", "", url) for url in self.browser.close_others()}
        return set() if clicks else {"opened " + url for url in opened}

    def _open(self, wall):
        url = f"{self.servers.page}/parents/{wall.name}"
        for _ in range(3):
            try:
                return self.browser.open(url)
            except RuntimeError:
                # What the last input has begun comes in between.
                self.browser.close_others()
        self._restart()
        self.browser.open(url)

    def _restart(self):
        self.browser.close()
        self.browser = self._start()

    def _note_requests(self, wall, ids, clicks, done):
        for server, path, kind, referer in self.servers.taken():
            found = re.match(r"/frames/\w+/(\d+)/", path) if server == "page" else re.match(r"/(\d+)/", path)
            found = found or re.search(r"/frames/\w+/(\d+)/", referer)
            id = int(found[1]) if found else None
            # A tab of the run before may still have been loading.
            if id is not None and id not in ids:
                continue
            # A click opens a page of its own. Uncleaned, a link may lead its frame elsewhere on the page's server, and
            # the frame stays in the sandbox.
            opened = clicks and (kind == "document" or kind == "iframe" and server == "page" and not wall.cleaned)
            if not self._is_allowed(wall, id, server, path, kind) and not opened:
                done[id].add(f"requested {server} {re.sub(r'^/(frames/[a-z_]+/)?[0-9]+', '', path)} as {kind}")

    def _is_allowed(self, wall, id, server, path, kind):
        # What is fetched ahead may come from wherever the policy allows anything to come from (CSP, Level 3).
        if id is None or kind not in ("image", "prefetch"):
            return False
        if wall.cleaned:
            # The cleaner and the browsers percent-encode other characters.
            pictures = {unquote(url.split("#")[0]) for url in self.servers.cleaned[id]["pictures"]}
            return kind == "image" and server != "page" and unquote(getattr(self.servers, server) + path) in pictures
        return wall.policy is not None and server == "pictures"
