"""Takes pictures of the samples before and after they were cleaned, and puts them side by side.

With --check it compares them instead: the cleaned ones have the same words, are about as high, and aren't wider.
"""

import base64
import hashlib
import os
import re
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

FOLDER = Path(sys.argv[1]).resolve()
ONLY_CHECK = "--check" in sys.argv[2:]
# How much higher or lower a cleaned message may be.
TOLERANCE = 0.15
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


def shown(browser, file, width, scheme, read):
    """What a function reads of the page of a file."""
    context = browser.new_context(
        java_script_enabled=False, color_scheme=scheme, viewport={"width": width, "height": 200}
    )
    context.route(re.compile("^https?:"), picture)
    page = context.new_page()
    # The parts of a mail aren't there; pictures stand for them.
    html = file.read_text().replace("cid:", "https://cid.example/")
    copy = file.with_suffix(".shown.html")
    copy.write_text(html)
    page.goto(copy.as_uri(), wait_until="load")
    result = read(page)
    copy.unlink()
    context.close()
    return result


def screenshot(page):
    return base64.b64encode(page.screenshot(full_page=True)).decode()


def measure(page):
    """The words that can be seen, and the page's size."""
    return page.evaluate(
        "({words: document.body.innerText.split(/\\s+/).filter(w => w),"
        " width: document.documentElement.scrollWidth, height: document.documentElement.scrollHeight})"
    )


def differences(before, after):
    if before["words"] != after["words"]:
        missing = [word for word in before["words"] if word not in after["words"]]
        more = [word for word in after["words"] if word not in before["words"]]
        yield f"other words: without {missing[:10]}, with {more[:10]}"
    if after["width"] > before["width"]:
        yield f"{after['width']} pixels wide, before {before['width']}"
    if abs(after["height"] - before["height"]) > TOLERANCE * before["height"]:
        yield f"{after['height']} pixels high, before {before['height']}"


found = 0


with sync_playwright() as playwright:
    arguments = ["--disable-gpu"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
    browser = playwright.chromium.launch(executable_path=os.environ["HEADLESS_CHROMIUM"], args=arguments)
    names = sorted(file.name.removesuffix("-before.html") for file in FOLDER.glob("*-before.html"))
    for number, name in enumerate(names, 1):
        for view, (width, scheme) in VIEWS.items():
            # Colors change neither words nor sizes.
            if ONLY_CHECK and view == "dark":
                continue
            files = [FOLDER / f"{name}-before.html", FOLDER / f"{name}-after-{view}.html"]
            if ONLY_CHECK:
                for difference in differences(*(shown(browser, file, width, scheme, measure) for file in files)):
                    print(f"html-gallery: {name}, {view}: {difference}", file=sys.stderr)
                    found += 1
                continue
            images = [shown(browser, file, width, scheme, screenshot) for file in files]
            page = browser.new_page(viewport={"width": 2 * width + 30, "height": 200})
            pair = "".join(
                f'<img style="vertical-align:top;margin:5px" src="data:image/png;base64,{image}">' for image in images
            )
            page.set_content(f'<body style="margin:0;background:#f0f;white-space:nowrap;font-size:0">{pair}')
            page.screenshot(path=FOLDER / f"{name}-{view}.png", full_page=True)
            page.close()
        if not ONLY_CHECK:
            print(f"html-gallery: {number} of {len(names)} {name}", flush=True)
    browser.close()
if ONLY_CHECK:
    print(f"html-gallery: {len(names)} samples, {found} differences")
    sys.exit(1 if found else 0)
