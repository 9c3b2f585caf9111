"""Tests of what keeps a message's HTML from harm, in three browsers: each wall by itself, with hostile inputs.

The walls are the cleaner, and the frame of the message's page with its policy and its sandbox. What the frame has is
taken from the server's own answers. By default a sample of the inputs is shown; with SWIFT_INBOX_LONG_TESTS, all.
"""

import json
import os
import random
import re
import subprocess
import time
import unittest
from collections import Counter
from dataclasses import replace
from unittest import mock

import requests

from chromium import Chromium
from firefox import Firefox
from hostile import clicked, corpus, table
from walls import Runner, Servers, Wall
from webkit import WebKit
from world import URL, send, someone, token

IS_LONG = bool(os.environ.get("SWIFT_INBOX_LONG_TESTS"))
TEXT = "<p>Hello"


def shown_by_server(pictures):
    """The frame of a message with a picture from that server, as the page /inbox shows it."""
    person, session = someone(), requests.Session()
    id = send(person, "Sale", html=f'{TEXT}<img src="{pictures}/a.png" alt="A">')
    session.post(f"{URL}/inbox/sign-in", data={"token": token(person)}, headers={"Origin": URL}, timeout=30)
    page = session.get(f"{URL}/inbox/messages/{id}", timeout=30)
    [element] = re.findall(r"<iframe([^>]*)>", page.text)
    attributes = dict(re.findall(r'([a-z-]+)="([^"]*)"', element))
    document = session.get(URL + attributes["src"].replace("&amp;", "&"), timeout=30)
    assert TEXT in document.text
    # A lazy frame wouldn't load below the page's view.
    kept = {name: value for name, value in attributes.items() if name not in ("class", "src", "title", "loading")}
    return Wall(
        "frame", policy=document.headers["Content-Security-Policy"], attributes=kept,
        page_policy=page.headers["Content-Security-Policy"],
    )


class Inputs:
    """The inputs and the servers, once for all browsers."""

    _shared = None

    @classmethod
    def shared(cls):
        if cls._shared is None:
            cls._shared = cls()
        return cls._shared

    def __init__(self):
        ours, theirs, clicked_ones = list(table()), list(corpus()), list(clicked())
        self.all = ours + theirs + clicked_ones
        self.ours = range(len(ours))
        self.theirs = range(len(ours), len(ours) + len(theirs))
        self.clicked = range(len(ours) + len(theirs), len(self.all))
        self.servers = Servers(self.all, None)
        filled = [self.servers.fill(id, input.html) for id, input in enumerate(self.all)]
        tool = subprocess.run(
            [os.environ["HTML_TOOL"], "clean"], input=json.dumps(filled).encode(), stdout=subprocess.PIPE, check=True
        )
        self.servers.cleaned = json.loads(tool.stdout)
        self.frame = shown_by_server(self.servers.pictures)

    def sample(self, ids, count):
        """All of them, or a sample of this size."""
        return list(ids) if IS_LONG or len(ids) <= count else sorted(random.Random(21).sample(ids, count))

    def named(self, *beginnings):
        return [id for id, input in enumerate(self.all) if input.name.startswith(beginnings)]


def tearDownModule():
    if Inputs._shared is not None:
        Inputs._shared.servers.close()


class InputsTest(unittest.TestCase):
    def test_there_are_at_least_500_different_inputs_of_our_own(self):
        ours = {input.html for input in list(table()) + list(clicked())}
        print(f"walls: {len(ours)} different inputs of our own", flush=True)
        self.assertGreaterEqual(len(ours), 500)


class Walls:
    """The tests of one browser."""

    start = None

    @classmethod
    def setUpClass(cls):
        cls.inputs = Inputs.shared()
        cls.runner = Runner(cls.inputs.servers, cls.start)

    @classmethod
    def tearDownClass(cls):
        cls.runner.close()

    def run_behind(self, wall, ids, clicks=False):
        """What inputs did, and how many were shown."""
        start = time.monotonic()
        done = self.runner.run(wall, ids, clicks)
        browser, seconds = self.runner.browser, time.monotonic() - start
        result = f"{len(ids)} {'clicked' if clicks else 'shown'}, {len(done)} did something, {seconds:.0f} s"
        print(f"walls: {browser.name} {browser.version}, {wall.name}: {result}", flush=True)
        return done

    def assert_nothing(self, done):
        found = [f"{self.inputs.all[id].name if id is not None else 'an unknown input'}: {done[id]}" for id in done]
        self.assertEqual(found, [], "\n".join(f"{self.inputs.all[id].html[:300]!r}" for id in done if id is not None))

    def test_cleaned_inputs_do_nothing_without_a_frame(self):
        # What a second reading could change is always shown.
        ids = set(self.inputs.named("breakout")) | set(self.inputs.sample(self.inputs.ours, 60))
        ids = sorted(ids | set(self.inputs.sample(self.inputs.theirs, 40)))
        self.assert_nothing(self.run_behind(Wall("cleaned", cleaned=True), ids))

    def test_cleaned_inputs_do_nothing_when_clicked(self):
        ids = self.inputs.sample(self.inputs.clicked, 8)
        self.assert_nothing(self.run_behind(Wall("cleaned", cleaned=True), ids, clicks=True))

    def test_the_frame_holds_what_was_not_cleaned(self):
        ids = self.inputs.sample(self.inputs.ours, 80) + self.inputs.sample(self.inputs.theirs, 40)
        # No policy keeps Firefox from connecting ahead, without a request. The cleaner does.
        ahead = set(self.inputs.named("connection"))
        self.assert_nothing(self.run_behind(self.inputs.frame, [id for id in ids if id not in ahead]))

    def test_the_frame_holds_what_was_not_cleaned_when_clicked(self):
        ids = self.inputs.sample(self.inputs.clicked, 8)
        self.assert_nothing(self.run_behind(self.inputs.frame, ids, clicks=True))

    def test_without_walls_the_inputs_do_something(self):
        """So the other tests can fail: many of the inputs run, load, leave or touch where nothing holds them."""
        ids = self.inputs.sample(self.inputs.ours, 40)
        done = self.run_behind(Wall("nothing", patience=2), ids)
        self.assertGreater(len(done), len(ids) * 0.4)
        if IS_LONG:
            shown = Counter(self.inputs.all[id].name.split()[0] for id in ids)
            did = Counter(self.inputs.all[id].name.split()[0] for id in done if id is not None)
            print("walls: " + ", ".join(f"{kind} {did[kind]} of {shown[kind]}" for kind in shown))

    def test_a_looser_frame_lets_something_through(self):
        """Each part of the frame is needed, and is seen to be missing."""
        frame, named = self.inputs.frame, self.inputs.named
        scripts = ["script-src 'unsafe-inline'"]
        for wall, ids, expected in [
            # Either part alone holds scripts.
            (frame.without("policy_alone", sandbox=["allow-scripts"]), named("script 1", "spelling 1 "), None),
            (frame.without("sandbox_alone", policy=scripts), named("script 1", "spelling 1 "), None),
            (frame.without("scripts", policy=scripts, sandbox=["allow-scripts"]), named("script 1", "event 1"), "ran"),
            (frame.without("pictures", policy=["img-src *"]), named("load 1 of evil"), "requested evil"),
            (
                frame.without("styles", policy=["style-src * 'unsafe-inline'"]), named("sheet 1 of evil"),
                "requested evil",
            ),
            (
                frame.without("frames", policy=["default-src *"], page_policy=False), named("load 26 of evil"),
                "requested evil",
            ),
            (
                frame.without("refresh", sandbox=["allow-scripts"]), named("escape 48"),
                ("left its document", "requested page"),
            ),
            (
                frame.without("origin", policy=scripts, sandbox=["allow-scripts", "allow-same-origin"]),
                named("escape 5"), "touched the page",
            ),
            (
                frame.without("top", policy=scripts, sandbox=["allow-scripts", "allow-top-navigation"]),
                named("escape 1"), "requested evil",
            ),
        ]:
            with self.subTest(wall.name):
                done = self.runner.run(wall, ids[:3])
                if expected is None:
                    self.assert_nothing(done)
                    continue
                # A busy machine may need longer than is usually waited.
                for longer in (3, 10):
                    if any(what.startswith(expected) for all in done.values() for what in all):
                        break
                    with mock.patch.object(self.runner, "settling", longer):
                        done = self.runner.run(replace(wall, patience=20), ids[:3])
                self.assertTrue(any(what.startswith(expected) for all in done.values() for what in all), done)


class ChromiumWallsTest(Walls, unittest.TestCase):
    start = Chromium


class FirefoxWallsTest(Walls, unittest.TestCase):
    start = Firefox


class WebKitWallsTest(Walls, unittest.TestCase):
    start = WebKit
