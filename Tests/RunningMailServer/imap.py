"""An IMAP client for tests: one connection, driven by lines of JSON.

    python3 imap.py PORT USER PASSWORD

Each line of input is a command. The response is one line, `{"ok": true, …}` or `{"ok": false, "error": "…"}`. After an
error the next command opens a new connection. Folder names are plain text; `uids` are numbers in one folder.

    {"do": "append", "folder": F, "mails": [{"bytes": BASE64, "flags": [...], "date": SECONDS}, ...]}
                                                         in one step; returns "uids"
    {"do": "fetch", "folder": F}                         returns "mails":
                                                         [{"uid", "email", "thread", "flags", "size", "date"}, ...]
    {"do": "flags", "folder": F, "uids": [...], "add": [...], "remove": [...]}
    {"do": "move" or "copy", "folder": F, "uids": [...], "to": F}
    {"do": "expunge", "folder": F, "uids": [...]}        expunges them
    {"do": "create" or "remove", "folder": F}
    {"do": "rename", "folder": F, "to": F}
    {"do": "share", "folder": F, "user": U, "rights": R} sets the rights of a user (RFC 4314); every right by default
    {"do": "list"}                                       returns "folders"
"""

import base64
import calendar
import imaplib
import json
import re
import sys
import time

PATIENCE = 120  # seconds


class Refused(Exception):
    """The server's NO or BAD."""


class Client:
    """A connection that is opened when it is needed."""

    def __init__(self, port, user, password):
        self.address = (port, user, password)
        self.connection = None
        self.selected = None

    def connect(self):
        if self.connection is None:
            port, user, password = self.address
            self.connection = imaplib.IMAP4("127.0.0.1", port, timeout=PATIENCE)
            self.connection.login(user, password)
            self.selected = None
        return self.connection

    def forget(self):
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.shutdown()

    def select(self, folder):
        connection = self.connect()
        if self.selected != folder:
            self.selected = None
            expect(connection.select(quoted(folder)))
            self.selected = folder
        else:
            # The server reports other clients' changes here, rather than in the middle of a response.
            expect(connection.noop())
        return connection

    def append(self, folder, mails):
        """Appends all mails with one APPEND (RFC 3502) and non-synchronizing literals (RFC 7888)."""
        connection = self.connect()
        tag = b"multi"
        pieces = [tag, b" APPEND ", quoted(folder).encode()]
        for mail in mails:
            content = base64.b64decode(mail["bytes"])
            pieces.append(b" (%s)" % " ".join(mail.get("flags", [])).encode())
            if mail.get("date") is not None:
                moment = time.strftime("%d-%b-%Y %H:%M:%S +0000", time.gmtime(mail["date"]))
                pieces.append(b' "%s"' % moment.encode())
            pieces.append(b" {%d+}\r\n" % len(content))
            pieces.append(content)
        pieces.append(b"\r\n")
        connection.send(b"".join(pieces))
        while True:
            line = connection.readline()
            if not line:
                raise imaplib.IMAP4.abort("the connection has ended")
            if line.startswith(tag + b" "):
                break
        answer = line.decode().strip()
        uids = re.search(r"\[APPENDUID \d+ ([\d:,]+)\]", answer)
        if not uids:
            raise Refused(answer)
        return {"uids": numbers(uids[1])}

    def fetch(self, folder):
        lines = expect(self.select(folder).uid("FETCH", "1:*", "(UID FLAGS RFC822.SIZE INTERNALDATE EMAILID THREADID)"))
        mails = []
        for line in lines:
            text = (line or b"").decode()
            if "EMAILID" not in text:
                continue
            mails.append({
                "uid": int(found(r"UID (\d+)", text)),
                "email": found(r"EMAILID \(([^)]+)\)", text),
                "thread": found(r"THREADID \(([^)]+)\)", text),
                "flags": sorted(flag for flag in found(r"FLAGS \(([^)]*)\)", text).split() if flag != "\\Recent"),
                "size": int(found(r"RFC822.SIZE (\d+)", text)),
                "date": calendar.timegm(imaplib.Internaldate2tuple(text.encode())),
            })
        return {"mails": mails}

    def flags(self, folder, uids, add=(), remove=()):
        connection = self.select(folder)
        for sign, those in (("+", add), ("-", remove)):
            if those:
                expect(connection.uid("STORE", numbers_as_set(uids), f"{sign}FLAGS.SILENT", f"({' '.join(those)})"))
        return {}

    def move(self, folder, uids, to):
        expect(self.select(folder).uid("MOVE", numbers_as_set(uids), quoted(to)))
        return {}

    def copy(self, folder, uids, to):
        expect(self.select(folder).uid("COPY", numbers_as_set(uids), quoted(to)))
        return {}

    def expunge(self, folder, uids):
        self.flags(folder, uids, add=["\\Deleted"])
        expect(self.connection.uid("EXPUNGE", numbers_as_set(uids)))
        return {}

    def create(self, folder):
        expect(self.connect().create(quoted(folder)))
        return {}

    def remove(self, folder):
        # A selected folder can't be removed.
        if self.selected == folder:
            expect(self.connection.unselect())
            self.selected = None
        expect(self.connect().delete(quoted(folder)))
        return {}

    def rename(self, folder, to):
        if self.selected == folder:
            self.selected = None
        expect(self.connect().rename(quoted(folder), quoted(to)))
        return {}

    def share(self, folder, user, rights="lrswipkxtecdn"):
        expect(self.connect().setacl(quoted(folder), user, rights))
        return {}

    def list(self):
        lines = expect(self.connect().list())
        return {"folders": [decoded(re.search(r'"/" "?(.*?)"?$', line.decode())[1]) for line in lines if line]}


def expect(answer):
    status, lines = answer
    if status != "OK":
        raise Refused(f"{status} {lines}")
    return lines


def found(pattern, text):
    return re.search(pattern, text)[1]


def numbers(text):
    """The numbers of a set such as 1:3,7."""
    result = []
    for part in text.split(","):
        first, _, last = part.partition(":")
        result += range(int(first), int(last or first) + 1)
    return result


def numbers_as_set(uids):
    """The shortest set of these numbers."""
    parts = []
    for uid in sorted(set(uids)):
        if parts and parts[-1][1] == uid - 1:
            parts[-1][1] = uid
        else:
            parts.append([uid, uid])
    return ",".join(str(first) if first == last else f"{first}:{last}" for first, last in parts)


def quoted(name):
    """A folder's name in modified UTF-7 (RFC 3501, 5.1.3), quoted."""
    def run(match):
        if match[0] == "&":
            return "&-"
        return "&" + base64.b64encode(match[0].encode("utf-16-be")).decode().rstrip("=").replace("/", ",") + "-"
    return '"' + re.sub(r"&|[^\x20-\x7e]+", run, name).replace("\\", "\\\\").replace('"', '\\"') + '"'


def decoded(name):
    def run(match):
        if not match[1]:
            return "&"
        data = match[1].replace(",", "/")
        return base64.b64decode(data + "=" * (-len(data) % 4)).decode("utf-16-be")
    return re.sub(r"&([^-]*)-", run, name)


def main():
    client = Client(int(sys.argv[1]), sys.argv[2], sys.argv[3])
    commands = {name: getattr(client, name) for name in
                ["append", "fetch", "flags", "move", "copy", "expunge", "create", "remove", "rename", "share", "list"]}
    for line in sys.stdin:
        command = json.loads(line)
        try:
            answer = {"ok": True} | commands[command.pop("do")](**command)
        except Refused as refused:
            answer = {"ok": False, "error": str(refused)}
        except (imaplib.IMAP4.error, OSError) as error:
            client.forget()
            answer = {"ok": False, "error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
