"""Drives Debian's WebKitGTK, in its MiniBrowser, through WebDriver (W3C)."""

import base64
import glob
import json
import os
import socket
import subprocess
import tempfile
import time

import requests


class WebKit:
    """A MiniBrowser on a display of its own that no one sees, and one window that is driven."""

    name = "webkit"

    def __init__(self, dark=False):
        # What a child of the browser still writes there is left behind.
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._processes = []
        read, write = os.pipe()
        display = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        self._processes.append(display)
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        if not number:
            raise RuntimeError("Xvfb didn't start")
        browsers = glob.glob("/usr/lib/*/webkit2gtk-4.1/MiniBrowser")
        program = os.environ.get("WEBKIT", browsers[0] if browsers else "MiniBrowser")
        home = self._folder.name
        environment = {
            **os.environ, "DISPLAY": f":{number}", "GDK_BACKEND": "x11", "HOME": home,
            "XDG_CACHE_HOME": home + "/cache", "XDG_DATA_HOME": home + "/data", "XDG_CONFIG_HOME": home + "/config",
            "XDG_RUNTIME_DIR": home,
            # There is no graphics card, no bus of accessibility and no one's settings.
            "LIBGL_ALWAYS_SOFTWARE": "1", "NO_AT_BRIDGE": "1", "GSETTINGS_BACKEND": "memory",
            "GTK_THEME": "Adwaita:dark" if dark else "Adwaita",
        }
        port = self._free_port()
        driver = subprocess.Popen(
            ["WebKitWebDriver", f"--port={port}"], env=environment, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._processes.append(driver)
        self._http = requests.Session()
        self._http.trust_env = False
        self._root = f"http://127.0.0.1:{port}"
        for _ in range(1_200):
            try:
                self._http.get(self._root + "/status", timeout=60)
                break
            except requests.ConnectionError:
                time.sleep(0.05)
        options = {"binary": program, "args": ["--automation"]}
        capabilities = {"webkitgtk:browserOptions": options, "unhandledPromptBehavior": "dismiss"}
        answer = self._call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self._root += f"/session/{answer['sessionId']}"
        self.version = answer["capabilities"]["browserVersion"]
        self._window = self._call("GET", "/window")
        self._call("POST", "/timeouts", {"script": 25_000, "pageLoad": 60_000})

    def open(self, url):
        self._call("POST", "/url", {"url": url})

    def evaluate(self, expression):
        """Returns the value of an expression in the window's page, or the value that it promises."""
        script = (
            "const done = arguments[arguments.length - 1];"
            f"(async () => JSON.stringify(await ({expression})))()"
            ".then(value => done([true, value ?? null]), error => done([false, String(error)]))"
        )
        answer = self._call("POST", "/execute/async", {"script": script, "args": []})
        if answer is None:
            raise RuntimeError("the page was left while it was looked at")
        worked, value = answer
        if not worked:
            raise RuntimeError(value)
        return json.loads(value) if value is not None else None

    def click(self, x, y):
        """Clicks as a person does, at a place in the page's view."""
        pointer = [
            {"type": "pointerMove", "x": x, "y": y, "duration": 0}, {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        action = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": pointer}
        self._call("POST", "/actions", {"actions": [action]})

    def close_others(self):
        """Closes the other windows. Returns their addresses."""
        others = []
        for window in self._call("GET", "/window/handles"):
            if window != self._window:
                self._call("POST", "/window", {"handle": window})
                others.append(self._call("GET", "/url"))
                self._call("DELETE", "/window")
        self._call("POST", "/window", {"handle": self._window})
        return others

    def resize(self, width, height):
        # The window's own bars are added to what the page has.
        for _ in range(2):
            inner = self.evaluate("[innerWidth, innerHeight]")
            rect = self._call("GET", "/window/rect")
            size = {"width": rect["width"] + width - inner[0], "height": rect["height"] + height - inner[1]}
            self._call("POST", "/window/rect", size)

    def screenshot(self, file):
        with open(file, "wb") as output:
            output.write(base64.b64decode(self._call("GET", "/screenshot")))

    def close(self):
        try:
            self._call("DELETE", "")
        except (RuntimeError, TimeoutError, requests.RequestException):
            pass
        for process in reversed(self._processes):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._http.close()
        self._folder.cleanup()

    @staticmethod
    def _free_port():
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            return one.getsockname()[1]

    def _call(self, method, path, body=None):
        content = None if method in ("GET", "DELETE") else body or {}
        try:
            answer = self._http.request(method, self._root + path, json=content, timeout=75)
        except requests.Timeout:
            raise TimeoutError(f"{method} {path}: no answer in 75 s") from None
        value = answer.json()["value"]
        if answer.status_code != 200:
            raise RuntimeError(f"{method} {path}: {value['error']}: {value['message']}")
        return value
