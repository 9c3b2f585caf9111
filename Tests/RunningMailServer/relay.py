"""A relay for tests that adds an event source (RFC 8620 §7.3) to a JMAP server without push.

    python3 relay.py URL ACCOUNT

Forwards every request to the server at URL, apart from those for the event source: for these it requests the states of
the account's mails and mailboxes ten times a second, with the client's authorization, and sends their changes. Prints a
line of JSON when it is ready, `{"ok": true, "url": "http://127.0.0.1:PORT"}`, and ends when its input does.
"""

import http.client
import http.server
import json
import sys
import threading
import time
import urllib.parse

INTERVAL = 0.1  # seconds
# Headers that aren't forwarded (RFC 9110 §7.6.1).
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "upgrade", "host", "content-length"}
EVENTS = "/events?types={types}&closeafter={closeafter}&ping={ping}"


class Relay(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_address, account = None, None

    def do_GET(self):
        if self.path.startswith("/events"):
            self.listen()
        else:
            self.forward()

    def do_POST(self):
        self.forward()

    def ask(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection(*self.server_address, timeout=300)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer, answer.read()
        finally:
            connection.close()

    def forward(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))) or None
        headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP}
        try:
            answer, content = self.ask(self.command, self.path, body, headers)
        except OSError:
            return self.send_error(502)
        if self.command == "GET" and answer.status == 200 and b'"eventSourceUrl"' in content:
            content = json.dumps(json.loads(content) | {"eventSourceUrl": EVENTS}).encode()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() == "location":
                # URLs of the server become relative to the relay.
                value = urllib.parse.urlsplit(value)._replace(scheme="", netloc="").geturl()
            if name.lower() not in HOP_BY_HOP:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def states(self):
        calls = [[f"{kind}/get", {"accountId": self.account, "ids": []}, kind] for kind in ("Email", "Mailbox")]
        request = {"using": ["urn:ietf:params:jmap:core", "urn:ietf:params:jmap:mail"], "methodCalls": calls}
        headers = {"Authorization": self.headers.get("Authorization", ""), "Content-Type": "application/json"}
        answer, content = self.ask("POST", "/jmap/", json.dumps(request), headers)
        if answer.status != 200:
            return None
        return {call[2]: call[1]["state"] for call in json.loads(content)["methodResponses"]}

    def listen(self):
        self.close_connection = True
        known = self.states()
        if known is None:
            return self.send_error(401)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.push("ping", {"interval": 30})
        pinged = time.monotonic()
        while True:
            try:
                states = self.states()
                if states and states != known:
                    known = states
                    self.push("state", {"@type": "StateChange", "changed": {self.account: states}})
                if time.monotonic() - pinged > 15:
                    pinged = time.monotonic()
                    self.push("ping", {"interval": 30})
            except OSError:
                return
            time.sleep(INTERVAL)

    def push(self, event, data):
        self.wfile.write(f"event: {event}\ndata: {json.dumps(data)}\n\n".encode())
        self.wfile.flush()

    def log_message(self, *_):
        pass


def main():
    url = urllib.parse.urlsplit(sys.argv[1])
    Relay.server_address, Relay.account = (url.hostname, url.port), sys.argv[2]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Relay)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"ok": True, "url": f"http://127.0.0.1:{server.server_address[1]}"}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
