"""A person at Debian's Chromium, who answers the pages of a sign-in. CHROMIUM names another one.

    python3 person.py

Prints `{"ok": true}` when the browser runs, and ends when its input does. Each line of input is a JSON object and is
answered by a line of JSON:

    {"page": URL, "fill": {SELECTOR: TEXT}, "press": SELECTOR}

opens a page in a window of its own, fills in fields and presses a button. The answer has what is on screen then:
`title`, `text` and `language`, and as `problems` what the browser says of the last page.
"""

import json
import os
import sys

from playwright.sync_api import Error, sync_playwright


def is_local(url):
    return url.startswith("http://127.0.0.1:")


def answer(browser, request):
    context = browser.new_context()
    context.set_default_timeout(60_000)
    # Pages of others may want styles from elsewhere.
    context.route(lambda url: not is_local(url), lambda route: route.abort())
    page = context.new_page()
    problems = []
    try:
        page.goto(request["page"])
        for selector, text in request.get("fill", {}).items():
            page.fill(selector, text)
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        with page.expect_navigation(wait_until="load"):
            page.click(request["press"])
        return {
            "title": page.title(), "text": page.inner_text("body"), "problems": problems,
            "language": page.evaluate("document.documentElement.lang"),
        }
    finally:
        context.close()


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"),
        args=["--no-sandbox"] if os.geteuid() == 0 else [],
    )
    print(json.dumps({"ok": True}), flush=True)
    for line in sys.stdin:
        try:
            print(json.dumps({"ok": True, **answer(browser, json.loads(line))}), flush=True)
        except Error as error:
            print(json.dumps({"ok": False, "error": error.message}), flush=True)
    browser.close()
