"""Drives Debian's Chromium through Playwright."""

import os

from playwright.sync_api import Error, sync_playwright


class Chromium:
    """A headless Chromium with a profile of its own, and one tab that is driven."""

    name = "chromium"

    def __init__(self):
        self._playwright = sync_playwright().start()
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        self._browser = self._playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=arguments
        )
        self.version = self._browser.version
        self._context = self._browser.new_context()
        self._context.set_default_timeout(60_000)
        self._page = self._context.new_page()

    def open(self, url):
        try:
            self._page.goto(url)
        except Error as error:
            raise RuntimeError(error.message) from None

    def evaluate(self, expression):
        """Returns the value of an expression in the tab's page, or the value that it promises."""
        try:
            return self._page.evaluate(f"async () => await ({expression})")
        except Error as error:
            raise RuntimeError(error.message) from None

    def click(self, x, y):
        """Clicks as a person does, at a place in the page's view."""
        self._page.mouse.click(x, y)

    def close_others(self):
        """Closes the other tabs. Returns their addresses."""
        others = [page for page in self._context.pages if page != self._page]
        addresses = [page.url for page in others]
        for page in others:
            page.close()
        return addresses

    def resize(self, width, height):
        self._page.set_viewport_size({"width": width, "height": height})

    def screenshot(self, file):
        self._page.screenshot(path=file)

    def close(self):
        self._browser.close()
        self._playwright.stop()
