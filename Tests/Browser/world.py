"""The server of a test, the calls of the app's backend, and the browser."""

import itertools
import os
import struct
import unittest
import zlib

import requests
from playwright.sync_api import expect, sync_playwright

URL = os.environ["INBOX_URL"]
BACKEND = {"Authorization": f"Bearer {os.environ['INBOX_KEY']}"}
PICTURES = "https://pictures.example"
_numbers = itertools.count(1)

# The other tests keep both processors busy meanwhile.
expect.set_options(timeout=45_000)


def rest(method, path, body=None):
    answer = requests.request(method, URL + path, json=body, headers=BACKEND, timeout=60)
    answer.raise_for_status()
    return answer.json() if answer.content else None


def token(person):
    return rest("POST", f"/v1/people/{person}/tokens")["token"]


def send(person, title, **fields):
    message = {"title": title, **fields}
    return rest("POST", "/v1/messages", {"to": {"person": person}, "message": message})["id"]


def send_many(person, titles):
    items = [{"to": {"person": person}, "message": {"title": title}} for title in titles]
    rest("POST", "/v1/messages", items)


def exported(person):
    """A person's export, as text."""
    return requests.get(f"{URL}/v1/people/{person}/export", headers=BACKEND, timeout=60).text


def someone():
    """A person that no other test uses, nor another run of the tests with the same server."""
    return f"person-{os.getpid()}-{next(_numbers)}"


def picture(width=480, height=270):
    """A PNG with a vertical gradient."""
    rows = b"".join(b"\0" + bytes((70, 110 + 100 * y // height, 190)) * width for y in range(height))
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class BrowserTest(unittest.TestCase):
    """One browser for all tests of a class. Each page has its own profile."""

    program = "HEADLESS_CHROMIUM"

    @classmethod
    def setUpClass(cls):
        cls._playwright = sync_playwright().start()
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        cls.browser = cls._playwright.chromium.launch(executable_path=os.environ[cls.program], args=arguments)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls._playwright.stop()

    def page(self, person=None, **options):
        """Opens /inbox, and signs the person in if one is given."""
        context = self.browser.new_context(**options)
        self.addCleanup(context.close)
        context.set_default_timeout(45_000)
        content = picture()
        context.route(f"{PICTURES}/**", lambda route: route.fulfill(body=content, content_type="image/png"))
        page = context.new_page()
        # Messages that a page must not cause, such as violations of the content security policy.
        page.complaints = []
        page.on("console", lambda message: self._note(page, message))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.goto(f"{URL}/inbox")
        if person is not None:
            page.fill("#token", token(person))
            page.click("form button")
            page.wait_for_selector("#heading")
        # Wait for the styles, which move everything.
        page.wait_for_load_state("load")
        return page

    @staticmethod
    def _note(page, message):
        # The sign-in form has status 401, a missing page 404, and one with a wrong address 400, as expected.
        statuses = ["400", "401", "404"]
        expected = message.text.startswith("Failed to load resource") and any(s in message.text for s in statuses)
        if message.type in ("error", "warning") and not expected:
            page.complaints.append(message.text)
