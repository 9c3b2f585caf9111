"""Opens the pages of the gallery, takes narrow and wide screenshots, and checks accessibility with axe."""

import os
import sys
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

FOLDER = Path(sys.argv[1]).resolve()
PICTURES = Path(__file__).resolve().parent.parent / "Pictures"
WIDTHS = {"narrow": 360, "wide": 1100}
LOAD = "Promise.all([...document.images].map(i => { i.loading = 'eager'; return i.decode().catch(() => {}) }))"
only_check = "--check" in sys.argv[2:]


def picture(route):
    route.fulfill(path=PICTURES / route.request.url.rsplit("/", 1)[-1], content_type="image/svg+xml")


found = 0
with sync_playwright() as playwright:
    arguments = ["--disable-gpu"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
    browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=arguments)
    pages = sorted(FOLDER.glob("*.html"))
    for number, file in enumerate(pages, 1):
        context = browser.new_context(
            color_scheme="dark" if "-dark-" in file.name else "light",
            reduced_motion="reduce",
        )
        context.route("https://gallery.example/**", picture)
        page = context.new_page()
        for step, (name, width) in enumerate(WIDTHS.items()):
            page.set_viewport_size({"width": width, "height": 900})
            if step == 0:
                page.goto(file.as_uri(), wait_until="load")
                # Also the images that a reader would load by scrolling to them.
                page.evaluate(LOAD)
            report = Axe().run(page)
            if report.violations_count:
                found += report.violations_count
                print(f"gallery: {file.name}, {name}:\n{report.generate_report()}", file=sys.stderr)
            across = page.evaluate("document.documentElement.scrollWidth")
            if across > width:
                found += 1
                print(f"gallery: {file.name} is {across} wide on a screen of {width}", file=sys.stderr)
            if not only_check:
                page.screenshot(path=FOLDER / f"{file.stem}-{name}.png", full_page=True)
        context.close()
        print(f"gallery: {number} of {len(pages)} {file.name}", flush=True)
    browser.close()

if found:
    sys.exit(f"gallery: {found} faults")
