"""A mail receiver (SMTP) for tests: keeps what it is sent, and refuses, delays or hangs up as set.

    python3 smtp.py

Prints a line of JSON when it listens, `{"ok": true, "port": PORT}`, and ends when its input does. Each line of input is
a JSON object and is answered by a line of JSON:

    {"do": "mails"}                             the mails so far: sender, recipients, bytes in Base64
    {"do": "behave", "refused": {ADDRESS: REPLY}, "data": REPLY, "delay": SECONDS, "hangup": WHERE}
                                                what to do from now on; what isn't named is done as usual
    {"do": "deliver", "to": {ADDRESS: USER}, "socket": PATH}
                                                hands mails to these addresses to a mail server too (LMTP), from now on

A hangup at `connect` closes each connection before a greeting, `rcpt` and `data` at a recipient or a mail that isn't
kept. `after` keeps the mail and closes the connection without an answer.
"""

import asyncio
import base64
import concurrent.futures
import json
import smtplib
import socket
import sys

from aiosmtpd.controller import Controller


class Receiver:
    def __init__(self):
        self.mails = []
        self.behaviour = {}
        self.users = {}
        self.lmtp = None
        self.deliveries = concurrent.futures.ThreadPoolExecutor(max_workers=1)

    async def handle_RCPT(self, server, session, envelope, address, options):
        refused = self.behaviour.get("refused", {})
        if address in refused:
            return refused[address]
        if self.behaviour.get("hangup") == "rcpt":
            server.transport.abort()
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        await asyncio.sleep(self.behaviour.get("delay", 0))
        if self.behaviour.get("hangup") == "data":
            server.transport.abort()
            return "451 never sent"
        if "data" in self.behaviour:
            return self.behaviour["data"]
        self.mails.append({
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "bytes": base64.b64encode(envelope.original_content).decode(),
        })
        users = [self.users[address] for address in envelope.rcpt_tos if address in self.users]
        if users:
            # After the answer: until it, Cyrus' calalarmd keeps the sender's mailboxes locked.
            self.deliveries.submit(self.deliver, envelope.mail_from, users, envelope.original_content)
        if self.behaviour.get("hangup") == "after":
            server.transport.abort()
        return "250 OK"

    def deliver(self, sender, users, content):
        with smtplib.LMTP(self.lmtp) as client:
            client.sendmail(sender, users, content)


class Closing(asyncio.Protocol):
    def connection_made(self, transport):
        transport.abort()


class OnFreePort(Controller):
    """A controller that listens on a free port, taken before it starts."""

    def __init__(self, handler):
        self.socket = socket.create_server(("127.0.0.1", 0))
        port = self.socket.getsockname()[1]
        super().__init__(handler, hostname="127.0.0.1", port=port, data_size_limit=1 << 30)

    def _create_server(self):
        return self.loop.create_server(self._protocol, sock=self.socket)

    def _protocol(self):
        if self.handler.behaviour.get("hangup") == "connect":
            return Closing()
        return self._factory_invoker()


def main():
    receiver = Receiver()
    controller = OnFreePort(receiver)
    controller.start()
    print(json.dumps({"ok": True, "port": controller.port}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "mails":
            print(json.dumps({"ok": True, "mails": receiver.mails}), flush=True)
        elif request["do"] == "behave":
            receiver.behaviour = request
            print(json.dumps({"ok": True}), flush=True)
        elif request["do"] == "deliver":
            receiver.users, receiver.lmtp = request["to"], request["socket"]
            print(json.dumps({"ok": True}), flush=True)
        else:
            print(json.dumps({"ok": False, "error": "unknown"}), flush=True)
    controller.stop()


if __name__ == "__main__":
    main()
