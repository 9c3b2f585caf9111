"""Opens the pages of the gallery of screens, takes pictures of them, and checks accessibility with axe."""

import os
import sys
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

FOLDER = Path(sys.argv[1]).resolve()
# The contrast of the system's own colors, such as of its blue buttons, isn't this package's choice.
CONTEXT = {"exclude": [["[data-system]"], ["iframe"]]}
# The names of screens that something in them is wider than.
WIDE = """() => [...document.querySelectorAll('.screen')].flatMap(screen => [...screen.querySelectorAll('*')]
    .filter(e => !e.parentElement.closest('.across')
        && e.getBoundingClientRect().right > screen.getBoundingClientRect().right + 1)
    .map(e => e.outerHTML.slice(0, 120)))"""
only_check = "--check" in sys.argv[2:]

found = 0


def look_at(page, file):
    """Opens a page, and reports what keeps people out of it."""
    global found
    page.set_viewport_size({"width": 2160, "height": 800})
    page.goto(file.as_uri(), wait_until="load")
    report = Axe().run(page, context=CONTEXT)
    if report.violations_count:
        found += report.violations_count
        print(f"screen gallery: {file.name}:\n{report.generate_report()}", file=sys.stderr)
    for element in page.evaluate(WIDE):
        found += 1
        print(f"screen gallery: {file.name} has an element that is wider than its screen: {element}", file=sys.stderr)


with sync_playwright() as playwright:
    arguments = ["--disable-gpu"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
    browser = playwright.chromium.launch(executable_path=os.environ["HEADLESS_CHROMIUM"], args=arguments)
    for scheme, indexes in {
        "light": ["index.html", "writing.html"],
        "dark": ["index-dark.html", "writing-dark.html"],
    }.items():
        context = browser.new_context(color_scheme=scheme, reduced_motion="reduce")
        page = context.new_page()
        for index in indexes:
            # They have every screen.
            look_at(page, FOLDER / index)
            if not only_check:
                # What is off the screen of a page isn't drawn in frames.
                height = page.evaluate("document.documentElement.scrollHeight")
                page.set_viewport_size({"width": 2160, "height": height})
                page.screenshot(path=FOLDER / f"{Path(index).stem}.png")
        if not only_check:
            page.set_viewport_size({"width": 1140, "height": 800})
            for file in sorted(set(FOLDER.glob(f"*-{scheme}*.html")) - {FOLDER / index for index in indexes}):
                page.goto(file.as_uri(), wait_until="load")
                page.locator(".screen").screenshot(path=FOLDER / f"{file.stem}.png")
        context.close()
    browser.close()

if found:
    sys.exit(f"screen gallery: {found} faults")
print(f"screen gallery: {len(list(FOLDER.glob('*.html')))} pages without a fault")
