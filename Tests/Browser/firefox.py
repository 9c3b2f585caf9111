"""Drives a stock Firefox through WebDriver BiDi (W3C)."""

import base64
import json
import os
import re
import subprocess
import tempfile

from websocket import WebSocket

# Nothing is asked of Mozilla's servers, and no page of a first start is opened.
PREFERENCES = """
user_pref("app.update.disabledForTesting", true);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("datareporting.policy.dataSubmissionPolicyBypassNotification", true);
user_pref("extensions.update.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "http://127.0.0.1:9/");
user_pref("toolkit.telemetry.enabled", false);
user_pref("browser.safebrowsing.malware.enabled", false);
user_pref("browser.safebrowsing.phishing.enabled", false);
"""


class Firefox:
    """A headless Firefox with a profile of its own, and one tab that is driven."""

    name = "firefox"

    def __init__(self, dark=False):
        # What a child of the browser still writes there is left behind.
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        with open(self._folder.name + "/user.js", "w") as file:
            file.write(PREFERENCES)
            file.write(f'user_pref("layout.css.prefers-color-scheme.content-override", {0 if dark else 1});\n')
        program = os.environ.get("FIREFOX", "firefox-esr")
        arguments = ["--headless", "--no-remote", "--profile", self._folder.name, "--remote-debugging-port", "0"]
        environment = {**os.environ, "HOME": self._folder.name, "MOZ_CRASHREPORTER_DISABLE": "1"}
        self._process = subprocess.Popen(
            [program, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment
        )
        port = None
        for line in self._process.stderr:
            if found := re.search(rb"WebDriver BiDi listening on ws://[^:]+:(\d+)", line):
                port = int(found[1])
                break
        if port is None:
            raise RuntimeError("Firefox didn't start")
        # What it writes afterwards isn't read, and must not fill the pipe.
        self._drain = subprocess.Popen(["cat"], stdin=self._process.stderr, stdout=subprocess.DEVNULL)
        self._socket = WebSocket("127.0.0.1", port, "/session")
        self._number = 0
        prompts = {"default": "dismiss", "beforeUnload": "accept"}
        capabilities = self._call("session.new", capabilities={"alwaysMatch": {"unhandledPromptBehavior": prompts}})
        self.version = capabilities["capabilities"]["browserVersion"]
        self._tab = self._call("browsingContext.create", type="tab")["context"]
        self.close_others()

    def open(self, url):
        self._call("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def evaluate(self, expression):
        """Returns the value of an expression in the tab's page, or the value that it promises."""
        answer = self._call(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({expression})))()",
            target={"context": self._tab},
            awaitPromise=True,
        )
        if answer["type"] != "success":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"].get("value", "null"))

    def click(self, x, y):
        """Clicks as a person does, at a place in the page's view."""
        pointer = [
            {"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._call(
            "input.performActions",
            context=self._tab,
            actions=[{"type": "pointer", "id": "mouse", "actions": pointer}],
        )

    def close_others(self):
        """Closes the other tabs. Returns their addresses."""
        tree = self._call("browsingContext.getTree", maxDepth=0)["contexts"]
        others = [context for context in tree if context["context"] != self._tab]
        for context in others:
            try:
                self._call("browsingContext.close", context=context["context"])
            except RuntimeError as error:
                # A tab that may not go where its link leads has closed itself.
                if "no such frame" not in str(error):
                    raise
        return [context["url"] for context in others]

    def resize(self, width, height):
        self._call("browsingContext.setViewport", context=self._tab, viewport={"width": width, "height": height})

    def screenshot(self, file):
        answer = self._call("browsingContext.captureScreenshot", context=self._tab)
        with open(file, "wb") as output:
            output.write(base64.b64decode(answer["data"]))

    def close(self):
        try:
            self._call("browser.close")
        except (ConnectionError, OSError, RuntimeError):
            pass
        self._socket.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._drain.wait()
        self._process.stderr.close()
        self._folder.cleanup()

    def _contexts(self):
        return [context["context"] for context in self._call("browsingContext.getTree", maxDepth=0)["contexts"]]

    def _call(self, method, **parameters):
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._socket.receive())
            # Events of a subscription have no number.
            if answer.get("id") == self._number:
                break
        if answer["type"] == "error":
            raise RuntimeError(f"{method}: {answer['error']}: {answer['message']}")
        return answer["result"]
