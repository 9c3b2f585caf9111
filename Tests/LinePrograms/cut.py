"""A relay for tests that closes a connection after a number of bytes of answers, holds all bytes back, or disturbs some
connections alone.

    python3 cut.py HOST PORT

Passes bytes on between its port and the server's. Reads lines of JSON, and answers each with one:

    {"do": "cut", "after": 1000}    counts the bytes of answers from now on, and closes the connection on which the
                                    byte after these would be passed, once
    {"do": "count"}                 {"ok": true, "count": 1234, "isCut": true, "beginnings": [0, 700]}: the bytes since
                                    then, and the number of them before each answer, up to a thousand
    {"do": "stop", "after": 1000, "answers": 3}
                                    counts the bytes of requests and answers, and the answers, from now on, and passes
                                    nothing on after these, in both directions, until
    {"do": "resume"}                closes the connections on which bytes were held back, and passes others on; and
    {"do": "place"}                 {"ok": true, "count": 1234, "answers": 2, "isStopped": true}: those since then
    {"do": "hold"}                  passes nothing on, in both directions, as a network that was cut; and
    {"do": "release"}               passes everything on again
    {"do": "disturb", "kind": "drop", "every": 3, "first": 1, "milliseconds": 0}
                                    disturbs the connections 1, 4, 7 and so on, counted from 0 as they were opened, also
                                    later ones: "drop" closes each when bytes come on it, "delay" passes its bytes on
                                    after a time, "hold" passes nothing on, until
    {"do": "spare"}                 passes everything on again, also what was held back

Prints `{"ok": true, "port": PORT}` when it is ready, and ends when its input does.
"""

import itertools
import json
import socket
import sys
import threading
import time


class Relay:
    def __init__(self, target):
        self.target = target
        self.lock = threading.Lock()  # guards what follows
        self.left, self.count, self.is_cut, self.beginnings = None, 0, False, []
        self.until_stop, self.place, self.is_stopped = None, 0, False
        self.until_answer, self.answers = None, 0
        self.is_open = threading.Event()
        self.is_open.set()
        self.is_running = threading.Event()
        self.is_running.set()
        self.disturbance = None

    def serve(self, listener):
        for number in itertools.count():
            client, _ = listener.accept()
            try:
                server = socket.create_connection(self.target)
            except OSError:
                client.close()
                continue
            asked = threading.Event()  # whether the next bytes of the server begin an answer
            for one, other, is_answer in ((client, server, False), (server, client, True)):
                arguments = (one, other, is_answer, asked, number)
                threading.Thread(target=self.pump, args=arguments, daemon=True).start()

    def pump(self, source, sink, is_answer, asked, number):
        try:
            while data := source.recv(65536):
                self.is_open.wait()
                if self.is_dropped(number):
                    break
                begins_answer = is_answer and asked.is_set()
                asked.clear() if is_answer else asked.set()
                data, is_held = self.take(data, begins_answer)
                allowed, is_cut = self.allow(data, begins_answer) if is_answer else (data, False)
                sink.sendall(allowed)
                if is_held:
                    self.is_running.wait()
                if is_cut or is_held:
                    break
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            if is_answer:
                end.close()

    def is_dropped(self, number):
        """Waits as long as a connection is disturbed, and returns whether it is closed."""
        kind, seconds = self.disturbance_of(number)
        if kind == "delay":
            time.sleep(seconds)
        while self.disturbance_of(number)[0] == "hold":
            time.sleep(0.01)
        return kind == "drop"

    def disturbance_of(self, number):
        with self.lock:
            if self.disturbance is None or number % self.disturbance["every"] != self.disturbance["first"]:
                return None, 0
            return self.disturbance["kind"], self.disturbance["milliseconds"] / 1_000

    def take(self, data, begins_answer):
        """Returns the bytes up to the stop, and whether there are others."""
        with self.lock:
            if self.until_stop is None:
                return data, False
            if begins_answer and self.answers == self.until_answer:
                self.until_stop = 0
            elif begins_answer:
                self.answers += 1
            taken = data[: self.until_stop]
            self.until_stop -= len(taken)
            self.place += len(taken)
            if len(taken) < len(data):
                self.is_stopped = True
            return taken, len(taken) < len(data)

    def allow(self, data, begins_answer):
        with self.lock:
            if begins_answer and len(self.beginnings) < 1_000:
                self.beginnings.append(self.count)
            if self.left is None or len(data) <= self.left:
                self.left = None if self.left is None else self.left - len(data)
                self.count += len(data)
                return data, False
            allowed, self.left, self.is_cut = data[: self.left], None, True
            self.count += len(allowed)
            return allowed, True

    def answer(self, request):
        if request["do"] == "hold":
            self.is_open.clear()
        if request["do"] == "release":
            self.is_open.set()
        with self.lock:
            if request["do"] in ("disturb", "spare"):
                self.disturbance = request if request["do"] == "disturb" else None
            if request["do"] == "stop":
                self.is_running.clear()
                self.until_stop, self.place, self.is_stopped = request["after"], 0, False
                self.until_answer, self.answers = request.get("answers"), 0
            if request["do"] == "resume":
                self.until_stop = None
                self.is_running.set()
            if request["do"] in ("stop", "resume", "place"):
                return {"ok": True, "count": self.place, "answers": self.answers, "isStopped": self.is_stopped}
            if request["do"] == "cut":
                self.left, self.count, self.is_cut, self.beginnings = request["after"], 0, False, []
            return {"ok": True, "count": self.count, "isCut": self.is_cut, "beginnings": self.beginnings}


def main():
    relay = Relay((sys.argv[1], int(sys.argv[2])))
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=relay.serve, args=(listener,), daemon=True).start()
    print(json.dumps({"ok": True, "port": listener.getsockname()[1]}), flush=True)
    for line in sys.stdin:
        print(json.dumps(relay.answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
