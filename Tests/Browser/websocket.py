"""A client of WebSockets (RFC 6455) for text messages, as WebDriver BiDi needs it."""

import base64
import os
import socket
import struct


class WebSocket:
    """A connection over plain HTTP. It isn't for more than one thread."""

    def __init__(self, host, port, path, timeout=60):
        self._socket = socket.create_connection((host, port), timeout)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._read = self._socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        status = self._read.readline()
        if b" 101 " not in status:
            raise ConnectionError(f"no WebSocket: {status!r}")
        while self._read.readline().strip():
            pass

    def send(self, text):
        self._send(1, text.encode())

    def receive(self):
        """Returns the next message."""
        message = b""
        while True:
            first, second = self._exactly(2)
            length = second & 0x7F
            if length == 126:
                (length,) = struct.unpack(">H", self._exactly(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", self._exactly(8))
            content, kind = self._exactly(length), first & 0x0F
            if kind == 8:
                raise ConnectionError("the WebSocket was closed")
            if kind == 9:
                self._send(10, content)
            elif kind in (0, 1, 2):
                message += content
                if first & 0x80:
                    return message.decode()

    def close(self):
        self._read.close()
        self._socket.close()

    def _exactly(self, count):
        content = self._read.read(count)
        if len(content) < count:
            raise ConnectionError("the WebSocket has ended")
        return content

    def _send(self, kind, content):
        # What a client sends is masked.
        mask, length = os.urandom(4), len(content)
        head = bytes([0x80 | kind])
        if length < 126:
            head += bytes([0x80 | length])
        elif length < 0x10000:
            head += bytes([0x80 | 126]) + struct.pack(">H", length)
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", length)
        key = int.from_bytes(mask * (length // 4 + 1), "big") >> 8 * (4 - length % 4)
        masked = (int.from_bytes(content, "big") ^ key).to_bytes(length, "big")
        self._socket.sendall(head + mask + masked)
