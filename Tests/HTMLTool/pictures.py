"""Takes pictures of the samples before and after they were cleaned, and puts them side by side."""

import base64
import hashlib
import os
import re
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

FOLDER = Path(sys.argv[1]).resolve()
VIEWS = {"wide": (700, "light"), "narrow": (390, "light"), "dark": (700, "dark")}


def picture(route):
    """A picture in a color of its own, with its file's name; nothing for another file."""
    url = route.request.url
    if route.request.resource_type != "image":
        route.abort()
        return
    color = hashlib.sha256(url.encode()).hexdigest()[:2]
    name = url.rsplit("/", 1)[-1][:24]
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200" preserveAspectRatio="none">'
        f'<rect width="100%" height="100%" fill="hsl({int(color, 16)} 40% 60%)"/>'
        f'<text x="10" y="110" font-size="28">{name.replace("&", "")}</text></svg>'
    )
    route.fulfill(body=svg, content_type="image/svg+xml")


def screenshot(browser, file, width, scheme):
    context = browser.new_context(
        java_script_enabled=False, color_scheme=scheme, viewport={"width": width, "height": 200}
    )
    context.route(re.compile("^https?:"), picture)
    page = context.new_page()
    # The parts of a mail aren't there; pictures stand for them.
    html = file.read_text().replace("cid:", "https://cid.example/")
    shown = file.with_suffix(".shown.html")
    shown.write_text(html)
    page.goto(shown.as_uri(), wait_until="load")
    image = page.screenshot(full_page=True)
    shown.unlink()
    context.close()
    return base64.b64encode(image).decode()


with sync_playwright() as playwright:
    arguments = ["--disable-gpu"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
    browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=arguments)
    names = sorted(file.name.removesuffix("-before.html") for file in FOLDER.glob("*-before.html"))
    for number, name in enumerate(names, 1):
        for view, (width, scheme) in VIEWS.items():
            images = [
                screenshot(browser, FOLDER / f"{name}-before.html", width, scheme),
                screenshot(browser, FOLDER / f"{name}-after-{view}.html", width, scheme),
            ]
            page = browser.new_page(viewport={"width": 2 * width + 30, "height": 200})
            shown = "".join(
                f'<img style="vertical-align:top;margin:5px" src="data:image/png;base64,{image}">' for image in images
            )
            page.set_content(f'<body style="margin:0;background:#f0f;white-space:nowrap;font-size:0">{shown}')
            page.screenshot(path=FOLDER / f"{name}-{view}.png", full_page=True)
            page.close()
        print(f"html-gallery: {number} of {len(names)} {name}", flush=True)
    browser.close()
