"""Tests of a message's HTML on the page in Firefox and WebKitGTK. Chromium has more of them, in html_test."""

import os
import time
import unittest

from firefox import Firefox
from webkit import WebKit
from world import PICTURES, URL, exported, send, someone, token

HTML = f"""
<style>.a {{ color: #111 }} @media (max-width: 480px) {{ .a {{ color: #222 }} }}</style>
<a style="font: 40px/1.5 serif" href="{URL}/health?a=1">Sale today</a><p class="a">Hello <b>Ann</b>
<table width="900"><tr><td>A wide table</td><td align="right">with two cells</td></tr></table>
<img src="{PICTURES}/a.png" alt="A picture that isn't there"><script>top.ran = 1</script>
"""
# The frames that the page's style shows.
SHOWN = "[...document.querySelectorAll('iframe')].filter(frame => frame.offsetParent !== null)"


class Others:
    """The tests of one browser."""

    start = None

    def opened(self, html, width=1000, **options):
        """Signs a new person in and opens a message of theirs. Returns the browser and the person."""
        person = someone()
        id = send(person, "Sale", html=html)
        browser = self.start(**options)
        self.addCleanup(browser.close)
        browser.resize(width, 700)
        browser.open(f"{URL}/inbox")
        browser.evaluate(
            f"(document.querySelector('#token').value = '{token(person)}',"
            " setTimeout(() => document.querySelector('form button').click()), true)"
        )
        self.wait(browser, "document.querySelector('#heading') !== null")
        browser.open(f"{URL}/inbox/messages/{id}")
        if folder := os.environ.get("INBOX_SCREENSHOTS"):
            time.sleep(1)
            kind = "dark" if options else str(width)
            browser.screenshot(f"{folder}/{browser.name}-{kind}.png")
        return browser, person

    def wait(self, browser, condition):
        deadline = time.monotonic() + 90
        while True:
            try:
                if browser.evaluate(condition):
                    return
            except RuntimeError:
                # The page is just being replaced.
                pass
            self.assertLess(time.monotonic(), deadline, condition)
            time.sleep(0.05)

    def test_the_frame_is_shown_and_its_link_opens_in_a_new_tab_and_counts(self):
        browser, person = self.opened(HTML)
        self.assertEqual(browser.evaluate(f"{SHOWN}.map(frame => frame.className)"), ["ib-html ib-wide"])
        browser.evaluate(f"{SHOWN}[0].scrollIntoView()")
        place = browser.evaluate(f"{SHOWN}[0].getBoundingClientRect().toJSON()")
        # The frame may still be loading, and so not have the link.
        opened, deadline = set(), time.monotonic() + 90
        while f"{URL}/health?a=1" not in opened and time.monotonic() < deadline:
            browser.click(int(place["x"]) + 80, int(place["y"]) + 45)
            time.sleep(1)
            opened |= set(browser.close_others())
        self.assertEqual(opened, {f"{URL}/health?a=1"})
        self.assertIn('"cta":"Sale today"', exported(person))
        self.assertIsNone(browser.evaluate("window.ran ?? null"))
        self.assertEqual(browser.evaluate("document.querySelector('h1').innerText"), "Sale")

    def test_a_narrow_view_has_the_narrow_frame(self):
        browser, _ = self.opened(HTML, width=380)
        self.assertEqual(browser.evaluate(f"{SHOWN}.map(frame => frame.className)"), ["ib-html ib-narrow"])
        self.assertLessEqual(browser.evaluate("document.documentElement.scrollWidth - innerWidth"), 0)

    def test_a_dark_view(self):
        browser, _ = self.opened("<p>A message without colors <a href='https://example.com'>and a link</a>", dark=True)
        self.assertTrue(browser.evaluate("matchMedia('(prefers-color-scheme: dark)').matches"))
        color = browser.evaluate("getComputedStyle(document.body).color")
        self.assertGreater(int(color.removeprefix("rgb(").split(",")[0]), 200, color)


class FirefoxTest(Others, unittest.TestCase):
    start = Firefox


class WebKitTest(Others, unittest.TestCase):
    start = WebKit
