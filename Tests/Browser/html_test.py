"""Tests of the HTML of messages on the page: what is in the frame runs nothing, loads nothing else and stays in it."""

from playwright.sync_api import expect

from world import PICTURES, URL, BrowserTest, exported, picture, send, someone

# What each would do where it ran: mark the page, leave the frame or load something.
HOSTILE = f"""
<html><head><base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">
<link rel="stylesheet" href="https://evil.example/a.css"><link rel="preconnect" href="https://evil.example">
<style>@import url(https://evil.example/b.css); p {{ background: url(https://evil.example/c.png) }}</style></head>
<body onload="top.ran = 1"><script>top.ran = 2</script><img src=x onerror="top.ran = 3">
<svg onload="top.ran = 4"><script>top.ran = 5</script><image href="https://evil.example/d.png"/></svg>
<iframe src="https://evil.example/e"></iframe><iframe srcdoc="<script>parent.ran = 7</script>"></iframe>
<object data="https://evil.example/f"></object><embed src="https://evil.example/g"><video src="https://evil.example/h"
poster="https://evil.example/i"></video><audio src="https://evil.example/j" autoplay></audio>
<form action="https://evil.example/k"><input name=q autofocus onfocus="top.ran = 8"><button>Send</button></form>
<a href="javascript:top.ran=9">Run</a> <a href=" java&#10;script:top.ran=10">Run too</a>
<a href="{URL}/health?a=1" target="_top" ping="https://evil.example/l">Sale</a>
<p style="position:fixed;inset:0;background:url(https://evil.example/m.png)">Everywhere</p>
<img src="https://track.example/o.gif" width="1" height="1"><img src="{PICTURES}/a.png" alt="A picture">
<noscript><img src="https://evil.example/n.png"></noscript><template><script>top.ran = 11</script></template>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=top.ran=6&gt;">
</body></html>
"""


class HTMLTest(BrowserTest):
    # A frame of a foreign page, and what it opens, are of the whole browser.
    program = "CHROMIUM"

    def opened(self, html, **options):
        """Signs a new person in and opens a message of theirs. Returns the page, its requests and the person."""
        person = someone()
        id = send(person, "Sale", html=html)
        page = self.page(person, **options)
        requests = []
        page.context.route("https://evil.example/**", lambda route: route.fulfill(body=picture(), content_type="image/png"))
        page.context.on("request", lambda request: requests.append(request.url))
        page.goto(f"{URL}/inbox/messages/{id}")
        page.frame_locator("iframe").locator("body").wait_for()
        page.wait_for_load_state("networkidle")
        return page, requests, person

    def frame(self, page):
        return page.frame_locator("iframe")

    def test_hostile_html_runs_and_loads_nothing(self):
        page, requests, _ = self.opened(HOSTILE)
        self.assertIn("Everywhere", self.frame(page).locator("body").inner_text())
        self.assertIsNone(page.evaluate("window.ran ?? null"))
        # Only the pictures that the message shows. The browser loads them; the policy names their origins.
        foreign = {url for url in requests if not url.startswith(URL)}
        shown = {f"{PICTURES}/a.png", "https://evil.example/m.png", "https://evil.example/n.png"}
        self.assertEqual(foreign, shown)
        self.assertEqual(page.locator("h1").inner_text(), "Sale")
        self.assertEqual(len(page.frames), 2)
        self.assertEqual(page.url.split("?")[0].rsplit("/", 1)[0], f"{URL}/inbox/messages")
        self.assertEqual(self.frame(page).locator("form, input, script, svg, iframe, object").count(), 0)
        self.assertEqual(page.complaints, [])

    def test_a_script_that_was_not_cleaned_could_not_run(self):
        # The frame's second wall, by itself: the document is as it is, but with a script in it.
        person = someone()
        id = send(person, "Sale", html="<p>Hello")
        page = self.page(person)
        def with_script(route):
            answer = route.fetch()
            script = "<script>top.ran = 1; document.title = 'ran'</script><img src=x onerror='top.ran = 2'>"
            route.fulfill(response=answer, body=answer.text().replace("<p>Hello", script + "<p>Hello"))
        page.route("**/html*", with_script)
        page.goto(f"{URL}/inbox/messages/{id}")
        self.frame(page).locator("text=Hello").wait_for()
        page.wait_for_load_state("networkidle")
        self.assertEqual(self.frame(page).locator("script").count(), 1)
        self.assertIsNone(page.evaluate("window.ran ?? null"))

    def test_a_link_opens_in_a_new_tab_and_counts(self):
        page, _, person = self.opened(HOSTILE)
        with page.context.expect_page() as opened:
            self.frame(page).locator("text=Sale").click()
        opened.value.wait_for_load_state()
        self.assertEqual(opened.value.url, f"{URL}/health?a=1")
        self.assertEqual(opened.value.evaluate("document.referrer"), "")
        self.assertIsNone(opened.value.evaluate("window.opener"))
        # The page that was opened isn't in the sandbox.
        self.assertEqual(opened.value.evaluate("1 + 1"), 2)
        self.assertIn('"cta":"Sale"', exported(person))
        self.assertTrue(page.url.startswith(f"{URL}/inbox/messages/"))

    def test_keyboard_narrow_and_zoomed(self):
        wide = "<table width=900><tr><td style='width:900px'>Wide</td></tr></table>" + "word" * 200
        html = f"<p>Hello <a href='https://shop.example/'>Shop</a></p>{wide}"
        page, _, _ = self.opened(html, viewport={"width": 320, "height": 600})
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 320)
        self.assertEqual(page.locator("iframe").get_attribute("title"), "Sale")
        # Into the frame, to its link, and out again.
        page.locator("nav a").focus()
        reached = []
        for _ in range(12):
            page.keyboard.press("Tab")
            reached.append(page.evaluate("document.activeElement.tagName"))
        self.assertIn("IFRAME", reached)
        self.assertNotEqual(set(reached[reached.index("IFRAME"):]), {"IFRAME"})
        self.assertEqual(page.complaints, [])

    def focused(self, page):
        """The text of what has the focus in the frame; nothing where the frame hasn't."""
        if page.evaluate("document.activeElement.tagName") != "IFRAME":
            return None
        return page.frames[1].evaluate("document.activeElement.textContent.trim()")

    def test_the_keyboard_reaches_the_links_in_the_frame_and_what_follows_it(self):
        html = "<p>Hello <a href='https://shop.example/1'>First</a> and <a href='https://shop.example/2'>Second</a>"
        page, _, _ = self.opened(html)
        page.context.route("https://shop.example/**", lambda route: route.fulfill(body="shop"))
        page.locator("nav a").focus()
        def press(key, until):
            for _ in range(20):
                page.keyboard.press(key)
                if until():
                    return
            self.fail(f"{key} doesn't lead there")
        press("Tab", lambda: self.focused(page) == "First")
        page.keyboard.press("Tab")
        self.assertEqual(self.focused(page), "Second")
        outline = page.frames[1].evaluate("getComputedStyle(document.activeElement).outlineStyle")
        self.assertNotEqual(outline, "none")
        # Out of the frame, to the message's actions, and back into it.
        press("Tab", lambda: page.evaluate("document.activeElement.matches('main form *')"))
        press("Shift+Tab", lambda: self.focused(page) == "Second")
        with page.context.expect_page() as opened:
            page.keyboard.press("Enter")
        opened.value.wait_for_url("https://shop.example/2")
        press("Shift+Tab", lambda: page.evaluate("document.activeElement.matches('header *')"))

    def test_the_keyboard_scrolls_a_message_without_links(self):
        page, _, _ = self.opened("<p>Hello" * 200, viewport={"width": 600, "height": 500})
        page.locator("nav a").focus()
        for _ in range(10):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.tagName") == "IFRAME":
                break
        outline = page.frames[1].evaluate("getComputedStyle(document.activeElement, '::before').outlineStyle")
        self.assertEqual(outline, "solid")
        page.keyboard.press("End")
        for _ in range(600):
            if page.frames[1].evaluate("scrollY") > 1000:
                break
            page.wait_for_timeout(50)
        else:
            self.fail("the frame isn't scrolled")
        page.keyboard.press("Tab")
        self.assertTrue(page.evaluate("document.activeElement.matches('main form *')"))

    def test_twice_the_size_everything_can_be_read(self):
        # Zoom is what it does to a page: half as many pixels of CSS, each twice as large.
        wide = "<table width=600 style='max-width:100%'><tr><td>" + "word " * 60 + "</table>"
        html = f"<p>Hello {'text ' * 60}</p>{wide}<p><a href='https://shop.example/'>Shop</a>"
        for width in (1280, 640):
            page, _, _ = self.opened(html, viewport={"width": width // 2, "height": 400}, device_scale_factor=2)
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width // 2)
            frame = page.frames[1]
            self.assertLessEqual(
                frame.evaluate("document.documentElement.scrollWidth"), frame.evaluate("innerWidth")
            )
            self.assertGreater(page.locator("iframe").bounding_box()["height"], 150)
            # What is below the frame's edge is reached by scrolling it.
            link = self.frame(page).locator("a")
            link.scroll_into_view_if_needed()
            box, around = link.bounding_box(), page.locator("iframe").bounding_box()
            self.assertLess(box["y"] + box["height"] - 1, around["y"] + around["height"])
            self.assertEqual(page.complaints, [])

    def test_right_to_left(self):
        arabic = "<p>مرحبا بالعالم</p><ul><li>واحد</ul><blockquote>قال</blockquote><p dir=ltr>left</p>"
        page, _, _ = self.opened(arabic, locale="ar", viewport={"width": 500, "height": 600})
        self.assertEqual(page.evaluate("getComputedStyle(document.documentElement).direction"), "rtl")
        def side(selector):
            """Whether an element's text is at the right."""
            return self.frame(page).locator(selector).evaluate(
                "e => { const r = document.createRange(); r.selectNodeContents(e); const t = r.getBoundingClientRect();"
                "return t.left > innerWidth - t.right }"
            )
        self.assertTrue(side("p:not([dir])") and side("li") and side("blockquote"))
        self.assertFalse(side("p[dir=ltr]"))
        border = "e => getComputedStyle(e).borderRightStyle + getComputedStyle(e).borderLeftStyle"
        self.assertEqual(self.frame(page).locator("blockquote").evaluate(border), "solidnone")
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 500)
        # A message in another direction than the page has its own.
        page, _, _ = self.opened("<p>Hello</p>", locale="ar")
        self.assertFalse(side("p"))
        self.assertEqual(page.complaints, [])

    def test_media_queries_have_a_narrow_frame_and_one_frame_is_loaded(self):
        html = "<style>.a{color:#111}@media (max-width:480px){.a{color:#222}}</style><p class=a>Hello"
        for width, color, other in [(1000, "rgb(17, 17, 17)", ".ib-narrow"), (380, "rgb(34, 34, 34)", ".ib-wide")]:
            person = someone()
            id = send(person, "Sale", html=html)
            page = self.page(person, viewport={"width": width, "height": 700})
            requests = []
            page.context.on("request", lambda request: requests.append(request.url))
            page.goto(f"{URL}/inbox/messages/{id}")
            shown = page.frame_locator("iframe:visible").locator("p")
            shown.wait_for()
            page.wait_for_load_state("networkidle")
            self.assertEqual(shown.evaluate("p => getComputedStyle(p).color"), color)
            expect(page.locator(other)).to_be_hidden()
            self.assertEqual(len([url for url in requests if "/html" in url]), 1, requests)

    def test_a_short_message_has_a_low_frame(self):
        def height(html):
            page, _, _ = self.opened(html, viewport={"width": 1000, "height": 1000})
            return page.locator("iframe").bounding_box()["height"]
        self.assertLess(height("<p>Hello"), 100)
        self.assertGreater(height("<p>Hello" * 100), 600)

    def test_colors_in_a_dark_view(self):
        def background(html):
            page, _, _ = self.opened(html, color_scheme="dark")
            body = self.frame(page).locator("body")
            return body.evaluate("body => getComputedStyle(document.documentElement).colorScheme"), body.evaluate(
                "body => getComputedStyle(document.documentElement).backgroundColor"
            )
        self.assertEqual(background("<p>Without colors")[0], "light dark")
        self.assertEqual(background("<p style='color:#222'>Dark text"), ("light", "rgb(255, 255, 255)"))
        self.assertEqual(background("<p style='color:#fff'>White text"), ("dark", "rgb(28, 28, 30)"))
