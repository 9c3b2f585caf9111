"""The accessibility of the pages: axe, narrow screens, the keyboard."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from world import PICTURES, URL, BrowserTest, rest, send, send_many, someone


class AxeTest(BrowserTest):
    def visit(self, **options):
        """Yields each kind of page, with its name."""
        person = someone()
        page = self.page(**options)
        yield "sign-in", page
        page.fill("#token", "wrong")
        page.click("form button")
        yield "sign-in, wrong", page
        page = self.page(person, **options)
        yield "empty", page
        media = {"url": f"{PICTURES}/a.png", "alt": "A map"}
        actions = [{"id": "a", "text": "Follow the rider", "link": "https://example.com/"}, {"id": "b", "text": "Later"}]
        send_many(person, [f"Number {number}" for number in range(31)])
        send(person, "طردك جاهز للاستلام", body="يمكنك استلامه")
        send(person, "Plain" + "-and-long" * 20, body="word " * 60 + "verylong" * 40, actions=actions)
        send(person, "Large", body="Text", media=media, templateId="LargeImage", dismissButton="circle")
        send(person, "", media=media)
        send(person, "Push", body="Text", media=media, templateId="Push", category="parcel")
        id = send(person, "Small", body="Text\n\nMore", media=media, actions=actions, link="https://example.com/")
        page.wait_for_selector("text=Small")
        page.locator("li", has_text="Push").locator(".ib-dismiss button").click()
        page.wait_for_selector("#notice form")
        yield "list", page
        page.locator("#messages summary").nth(1).click()
        page.locator(".ib-pick input").nth(2).check()
        page.locator("#selection summary").click()
        yield "list with menus", page
        page.goto(f"{URL}/inbox?tab=archived")
        yield "empty archive", page
        page.goto(f"{URL}/inbox?q=Number+1")
        yield "search", page
        page.goto(f"{URL}/inbox?limit=0")
        yield "wrong address", page
        page.goto(f"{URL}/inbox/messages/{id}")
        yield "message", page
        html = "<h1>Offers</h1><p>Hello <a href='https://example.com/'>Shop</a></p><table width=900><tr><td>Wide</table>"
        id = send(person, "With HTML", html=html)
        page.goto(f"{URL}/inbox/messages/{id}")
        page.frame_locator("iframe").locator("h1").wait_for()
        yield "message with HTML", page
        page.goto(f"{URL}/inbox/nothing")
        yield "not found", page
        rest("PUT", "/v1/surfaces/row", {"layout": "horizontal", "title": "Row", "unreadIndicator": {"placement": "bottomRight"}})
        for number in range(6):
            send(person, f"Card {number}", body="Text", media=media, surface="row", templateId="LargeImage")
        page.goto(f"{URL}/inbox?surface=row")
        yield "row", page

    def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(self):
        axe = Axe()
        for scheme, locale, width in [("light", "en-US", 1200), ("dark", "en-US", 320), ("light", "ar", 320), ("dark", "he", 800)]:
            options = {"color_scheme": scheme, "locale": locale, "viewport": {"width": width, "height": 900}}
            options["reduced_motion"] = "reduce"
            for name, page in self.visit(**options):
                with self.subTest(page=name, scheme=scheme, locale=locale, width=width):
                    found = axe.run(page)
                    self.assertEqual(found.violations_count, 0, found.generate_report())
                    self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
                    # axe itself sends messages to each frame, also to that of a message's HTML, which has no origin.
                    complaints = [text for text in page.complaints if "'postMessage'" not in text]
                    self.assertEqual(complaints, [])

    def test_keyboard_reaches_everything_and_is_seen(self):
        person = someone()
        send(person, "Hello", actions=[{"id": "a", "text": "Track", "link": "https://example.com/"}])
        page = self.page(person)
        seen = []
        for _ in range(15):
            page.keyboard.press("Tab")
            seen.append(page.evaluate("document.activeElement.innerText || document.activeElement.ariaLabel"))
            outline = page.evaluate(
                "[null, '::after'].some((part) => getComputedStyle(document.activeElement, part).outlineStyle !== 'none')"
            )
            self.assertTrue(outline, seen)
        expected = ["Skip to messages", "Sign Out", "Inbox 1", "Unread 1", "Archived", "Snoozed", "Search", "Search"]
        expected += ["Mark All as Read", "Hello", "Track", "✕", "Select: Hello", "Archive", "Actions"]
        self.assertEqual([" ".join(text.split()) for text in seen], expected)

    def test_unread_is_seen_in_forced_colors_and_in_print(self):
        person = someone()
        send(person, "Read")
        page = self.page(person)
        page.locator("#messages summary").click()
        page.locator("#messages button[value=read]").click()
        expect(page.locator(".ib-mark")).to_have_count(0)
        send(person, "Unread")
        mark = page.locator(".ib-mark")
        mark.wait_for()
        page.emulate_media(forced_colors="active")
        # The mark isn't of the card's color, which forced colors give every background that isn't a system color.
        colors = mark.evaluate(
            "mark => [mark, mark.closest('article')].map(part => getComputedStyle(part).backgroundColor)"
        )
        self.assertNotEqual(*colors)
        page.emulate_media(forced_colors="none", media="print")
        self.assertEqual(mark.evaluate("mark => getComputedStyle(mark).printColorAdjust"), "exact")

    def test_large_text_is_no_wider_than_the_screen(self):
        person = someone()
        send(person, "Other", body="Text")
        id = send(person, "Hello", body="Text", actions=[{"id": "a", "text": "Follow the rider"}, {"id": "b", "text": "Later"}])
        for locale in ["en", "de"]:
            for width in [320, 375]:
                page = self.page(person, locale=locale, viewport={"width": width, "height": 700})
                for address in ["", "?tab=archived", "?q=Hello", f"/messages/{id}"]:
                    page.goto(f"{URL}/inbox{address}")
                    if not address:
                        page.locator("#messages summary").first.click()
                        page.locator(".ib-pick input").first.check()
                    page.evaluate("document.documentElement.style.fontSize = '200%'")
                    with self.subTest(locale=locale, width=width, address=address):
                        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)

    def test_the_bar_of_the_selected_messages_hides_nothing_that_has_the_focus(self):
        person = someone()
        send_many(person, [f"Number {number}" for number in range(8)])
        hidden = """(() => {
          const [active, bar] = [document.activeElement, document.getElementById("selection")]
          if (bar.contains(active)) return null
          return active.getBoundingClientRect().bottom > bar.getBoundingClientRect().top + 1
        })()"""
        for width, height in [(320, 568), (768, 700)]:
            page = self.page(person, viewport={"width": width, "height": height})
            page.locator(".ib-pick input").first.check()
            stops = 0
            while (state := page.evaluate(hidden)) is not None:
                self.assertFalse(state, page.evaluate("document.activeElement.outerHTML"))
                page.keyboard.press("Tab")
                stops += 1
            self.assertGreater(stops, 20)
            self.assertLess(page.locator("#selection").bounding_box()["height"], 165)
            # The open bar is within the view, wherever the page is.
            page.locator("#selection summary").click()
            for place in [0, 100_000]:
                page.evaluate(f"scrollTo(0, {place})")
                box = page.locator("#selection").bounding_box()
                self.assertGreater(box["y"], 0)
                self.assertLess(box["y"] + box["height"], height)
            # At the end of the page, the last card is above the bar.
            last = page.locator("#messages li").last.bounding_box()
            self.assertLess(last["y"] + last["height"], box["y"])

    def test_no_button_breaks_within_a_word(self):
        person = someone()
        broken = """() => {
          const found = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
          while (texts.nextNode()) {
            const text = texts.currentNode
            if (!text.parentElement.closest("button, summary, a.ib-quiet")?.checkVisibility()) continue
            for (const word of text.data.matchAll(/\\S+/g)) {
              const range = document.createRange()
              range.setStart(text, word.index)
              range.setEnd(text, word.index + word[0].length)
              if (new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1) found.push(word[0])
            }
          }
          return found
        }"""
        rest("PUT", "/v1/surfaces/words", {"layout": "horizontal"})
        send(person, "Second")
        for number in range(3):
            send(person, f"Card {number}", surface="words")
        send(person, "A message whose title needs more than one line of a narrow screen")
        for locale in ["en", "es", "pt"]:
            page = self.page(person, locale=locale, viewport={"width": 320, "height": 700})
            found = []
            for address in ["", "?surface=words"]:
                page.goto(f"{URL}/inbox{address}")
                page.locator("#messages summary").first.click()
                found += page.evaluate(broken)
                page.locator(".ib-pick input").first.check()
                page.locator("#selection summary").click()
                found += page.evaluate(broken)
            page.goto(f"{URL}/inbox")
            page.locator("#messages summary").first.click()
            page.locator("#messages .ib-snooze button").first.click()
            page.wait_for_selector("#notice form")
            found += page.evaluate(broken)
            self.assertEqual(found, [], locale)
            # Nor are words in two lines where there is room for one.
            for button in ["header form button", "#read-all button"]:
                self.assertLess(page.locator(button).bounding_box()["height"], 45)
            # A notice without a button is as high as one with a button.
            page.locator("#notice button").click()
            page.locator("#notice form").wait_for(state="detached")
            self.assertGreater(page.locator(".ib-notice").bounding_box()["height"], 50)
