"""Tests of the page, with its script and without."""

from playwright.sync_api import expect

from world import PICTURES, URL, BrowserTest, exported, rest, send, send_many, someone, token


class PageTest(BrowserTest):
    def titles(self, page):
        return page.locator("#messages h2").all_inner_texts()

    def test_sign_in_and_out(self):
        person = someone()
        send(person, "Hello")
        page = self.page()
        page.fill("#token", "wrong")
        page.click("form button")
        self.assertEqual(page.locator("#error").inner_text(), "This token isn’t valid or has expired.")
        # A screen reader reads the error with the field, which has the focus.
        expect(page.locator("#token")).to_be_focused()
        page.fill("#token", token(person))
        page.press("#token", "Enter")
        page.wait_for_selector("#heading")
        self.assertEqual(self.titles(page), ["Hello"])
        self.assertEqual(page.title(), "(1) Inbox")
        [cookie] = [cookie for cookie in page.context.cookies() if cookie["name"] == "inbox"]
        self.assertTrue(cookie["httpOnly"])
        self.assertEqual((cookie["path"], cookie["sameSite"]), ("/inbox", "Lax"))
        page.click("text=Sign Out")
        page.wait_for_selector("#token")
        page.goto(f"{URL}/inbox")
        self.assertTrue(page.is_visible("#token"))
        self.assertEqual(page.complaints, [])

    def test_live(self):
        person = someone()
        first = send(person, "First")
        page = self.page(person)
        page.evaluate("window.stays = true")
        send(person, "Second")
        page.wait_for_selector("text=Second")
        self.assertEqual(self.titles(page), ["Second", "First"])
        self.assertEqual(page.inner_text("#unread"), "2 unread messages")
        self.assertEqual(page.title(), "(2) Inbox")
        rest("PUT", f"/v1/messages/{first}", {"message": {"title": "First, edited"}})
        page.wait_for_selector("text=First, edited")
        rest("DELETE", f"/v1/messages/{first}")
        page.wait_for_selector("text=First, edited", state="detached")
        rest("PUT", "/v1/surfaces/live", {"title": "Offers", "emptyTitle": "Nothing yet"})
        page.goto(f"{URL}/inbox?surface=live")
        page.evaluate("window.stays = true")
        self.assertTrue(page.is_visible("text=Nothing yet"))
        send(person, "An offer", surface="live")
        page.wait_for_selector("text=An offer")
        # All changes happened without a reload.
        self.assertTrue(page.evaluate("window.stays"))
        self.assertEqual(page.complaints, [])

    def test_live_keeps_focus_and_place(self):
        person = someone()
        send_many(person, [f"Number {number}" for number in range(25)])
        page = self.page(person, viewport={"width": 800, "height": 500})
        link = page.locator("#messages a", has_text="Number 12")
        link.focus()
        link.scroll_into_view_if_needed()
        before = link.bounding_box()["y"]
        self.assertGreater(page.evaluate("scrollY"), 0)
        send(person, "On top")
        page.wait_for_selector("text=On top", state="attached")
        self.assertEqual(page.evaluate("document.activeElement.innerText"), "Number 12")
        self.assertLess(abs(link.bounding_box()["y"] - before), 3)

    def test_open_reads_and_back(self):
        person = someone()
        id = send(person, "Parcel", body="One\n\nTwo", media={"url": f"{PICTURES}/a.png", "alt": "A map"})
        page = self.page(person, timezone_id="Asia/Tokyo", locale="de-AT")
        self.assertEqual(page.locator(".ib-mark").count(), 1)
        page.click("text=Parcel")
        page.wait_for_selector("#message h1")
        self.assertEqual(page.inner_text("h1"), "Parcel")
        self.assertEqual(page.locator(".ib-body").count(), 2)
        self.assertTrue(page.evaluate("document.querySelector('#message img').complete"))
        self.assertTrue(page.evaluate("document.body.dataset.zone") == "Asia/Tokyo")
        rest("PUT", f"/v1/messages/{id}", {"message": {"title": "Parcel, edited"}})
        page.wait_for_selector("text=Parcel, edited")
        page.click("text=Zurück")
        page.wait_for_selector("#messages")
        self.assertEqual(page.locator(".ib-mark").count(), 0)
        # The script's requests were no further openings.
        self.assertEqual(exported(person).count('"type":"clicked"'), 1)
        page.click("text=Parcel, edited")
        page.wait_for_selector("#message h1")
        rest("DELETE", f"/v1/messages/{id}")
        page.wait_for_selector("text=nicht mehr")
        self.assertEqual(page.complaints, [])

    def test_dismiss_and_undo(self):
        person = someone()
        for title in ["Third", "Second", "First"]:
            send(person, title)
        page = self.page(person)
        page.evaluate("window.stays = true")
        page.locator("li", has_text="Second").get_by_role("button", name="Dismiss").click()
        page.wait_for_selector("#notice >> text=Second")
        page.wait_for_selector("#messages >> text=Second", state="detached")
        # The focus is on the next card.
        self.assertEqual(page.evaluate("document.activeElement.closest('li')?.querySelector('h2').innerText"), "Third")
        page.click("text=Undo")
        page.wait_for_selector("#messages >> text=Second")
        self.assertEqual(self.titles(page), ["First", "Second", "Third"])
        expect(page.locator("#notice")).not_to_contain_text("Second")
        self.assertTrue(page.evaluate("window.stays"))
        self.assertEqual(exported(person).count('"type":"dismissed"'), 1)
        self.assertEqual(page.complaints, [])

    def test_a_second_click_sends_nothing(self):
        person = someone()
        for title in ["Second", "First"]:
            send(person, title)
        page = self.page(person)
        held = []
        page.route("**/*", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
        button = page.locator("li", has_text="First").get_by_role("button", name="Dismiss")
        button.click()
        while not held:
            page.wait_for_timeout(10)
        button.click(force=True)
        # A later action's request comes after one of that click.
        page.locator("li", has_text="Second").get_by_role("button", name="Dismiss").click()
        while len(held) < 2:
            page.wait_for_timeout(10)
        self.assertEqual(len({route.request.url for route in held}), 2)
        for route in held:
            route.continue_()
        expect(page.locator("#messages li")).to_have_count(0)
        self.assertEqual(len(held), 2, [(route.request.url, route.request.post_data) for route in held])

    def test_right_to_left_mirrors(self):
        person = someone()
        send(person, "Hello")
        places = []
        for locale, direction in [("en", "ltr"), ("ar", "rtl")]:
            page = self.page(person, locale=locale, viewport={"width": 800, "height": 600})
            self.assertEqual(page.evaluate("getComputedStyle(document.body).direction"), direction)
            card = page.locator(".ib-card").bounding_box()
            boxes = [page.locator(part).bounding_box() for part in (".ib-dismiss button", ".ib-mark")]
            # The distances from the card's left edge and from its right edge.
            places.append([(box["x"] - card["x"], card["x"] + card["width"] - box["x"] - box["width"]) for box in boxes])
            self.assertEqual(page.complaints, [])
        [[dismiss, mark], mirrored] = places
        self.assertGreater(dismiss[0], dismiss[1])
        self.assertLess(mark[0], mark[1])
        for (left, right), (left_in_arabic, right_in_arabic) in zip([dismiss, mark], mirrored):
            self.assertAlmostEqual(left, right_in_arabic, delta=1)
            self.assertAlmostEqual(right, left_in_arabic, delta=1)

    def test_what_is_in_another_direction_than_the_page_begins_where_its_lines_begin(self):
        person = someone()
        id = send(person, "Hello", body="Text " * 30 + "end", category="News")
        page = self.page(person, locale="ar", viewport={"width": 600, "height": 600})
        # The distance of each line from the right edge of the block that it is in.
        edges = """block => {
          const range = document.createRange()
          range.selectNodeContents(block)
          const right = block.parentElement.getBoundingClientRect().right
          return [...range.getClientRects()].map(line => Math.round(right - line.right))
        }"""
        for part in ["article h2", "article p"]:
            found = page.locator(part).evaluate(edges)
            self.assertLess(max(found) - min(found), 8, (part, found))
        page.goto(f"{URL}/inbox/messages/{id}")
        parts = ["h1", ".ib-caption >> nth=0", ".ib-caption >> nth=1"]
        found = [min(page.locator(part).evaluate(edges)) for part in parts]
        self.assertLess(max(found) - min(found), 3, found)

    def test_a_menu_in_a_row_leaves_the_other_cards_as_they_are(self):
        person = someone()
        rest("PUT", "/v1/surfaces/menus", {"layout": "horizontal", "cardSpacing": 24})
        for number in range(3):
            send(person, f"Card {number}", body="Text " * 20 * number, surface="menus")
        page = self.page(person, viewport={"width": 1000, "height": 800})
        page.goto(f"{URL}/inbox?surface=menus")
        boxes = "[...document.querySelectorAll('article')].map(card => JSON.stringify(card.getBoundingClientRect()))"
        before = page.evaluate(boxes)
        heights = page.evaluate("[...document.querySelectorAll('article')].map(card => card.offsetHeight)")
        self.assertEqual(len(set(heights)), 1)
        page.locator("#messages summary").first.click()
        expect(page.locator("#messages button[value=delete]").first).to_be_visible()
        self.assertEqual(page.evaluate(boxes), before)

    def test_on_a_phone_a_menu_has_one_edge_and_what_wraps_stays_at_the_end(self):
        person = someone()
        send(person, "Hello")
        page = self.page(person, viewport={"width": 400, "height": 900})
        page.locator(".ib-tools summary").click()
        texts = ".ib-tools .ib-menu-items :is(.ib-quiet:not(.ib-date *), .ib-snooze p, .ib-date)"
        edges = page.locator(texts).evaluate_all(
            """parts => parts.map(part =>
                part.getBoundingClientRect().x + parseFloat(getComputedStyle(part).paddingLeft))"""
        )
        self.assertGreater(len(edges), 4)
        self.assertEqual(len(set(edges)), 1, edges)
        page.locator(".ib-tools").get_by_role("button", name="Tomorrow").click()
        expect(page.locator("article")).to_have_count(0)
        page.goto(f"{URL}/inbox?tab=snoozed")
        [card, menu] = [page.locator(part).bounding_box() for part in ("article", ".ib-tools summary")]
        self.assertAlmostEqual(card["x"] + card["width"], menu["x"] + menu["width"], delta=1)

    def test_the_focus_of_a_card_has_its_corners(self):
        person = someone()
        send(person, "Hello")
        page = self.page(person)
        corners = page.evaluate(
            """[getComputedStyle(document.querySelector('article')).borderRadius,
                getComputedStyle(document.querySelector('.ib-open'), '::after').borderRadius]"""
        )
        self.assertEqual(corners, ["12px", "12px"])

    def test_in_print_cards_are_whole_and_light(self):
        person = someone()
        picture = {"url": f"{PICTURES}/light.png", "darkUrl": f"{PICTURES}/dark.png", "alt": "A map"}
        send(person, "Hello", media=picture)
        page = self.page(person, color_scheme="dark")
        source = "document.querySelector('article img').currentSrc.split('/').pop()"
        for media, name in [("screen", "dark.png"), ("print", "light.png")]:
            page.emulate_media(media=media)
            for _ in range(600):
                if page.evaluate(source) == name:
                    break
                page.wait_for_timeout(50)
            self.assertEqual(page.evaluate(source), name)
        style = page.locator("#messages li").evaluate(
            "item => [getComputedStyle(item).breakInside, getComputedStyle(item).colorScheme]"
        )
        self.assertEqual(style, ["avoid", "light"])

    def test_a_refused_form_shows_an_error(self):
        person = someone()
        send(person, "Hello")
        page = self.page(person)
        page.context.route("**/dismiss*", lambda route: route.abort())
        page.get_by_role("button", name="Dismiss").click()
        page.wait_for_selector("text=The server can’t be reached.")
        self.assertEqual(self.titles(page), ["Hello"])
        # The notice has a retry, and ends with it.
        page.context.unroute("**/dismiss*")
        page.get_by_role("button", name="Try Again").click()
        expect(page.locator("#messages li")).to_have_count(0)
        expect(page.locator("#notice")).to_contain_text("Undo")
        expect(page.locator("#notice .ib-problem")).to_have_count(0)

    def test_an_action_that_the_server_refuses_says_so_until_another_one(self):
        person = someone()
        send(person, "Hello")
        page = self.page(person)
        page.context.route("**/dismiss*", lambda route: route.fulfill(status=500, body="no"))
        page.get_by_role("button", name="Dismiss").click()
        expect(page.locator("#notice .ib-problem")).to_contain_text("That didn’t work.")
        # A change of the list isn't the end of it.
        send(person, "Second")
        page.wait_for_selector("text=Second")
        expect(page.locator("#notice .ib-problem")).to_have_count(1)
        page.context.unroute("**/dismiss*")
        page.get_by_role("button", name="Try Again").click()
        expect(page.locator("#notice .ib-problem")).to_have_count(0)
        self.assertEqual(self.titles(page), ["Second"])

    def test_a_lost_connection_is_shown_until_it_is_back(self):
        person = someone()
        send_many(person, [f"Number {number:03}" for number in range(20)])
        page = self.page(person)
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.context.set_offline(True)
        expect(page.locator("#notice")).to_contain_text("You’re offline. Messages may be out of date.")
        # It is in view, however far the list is scrolled.
        expect(page.get_by_role("button", name="Try Again")).to_be_in_viewport()
        page.context.set_offline(False)
        expect(page.locator("#notice .ib-problem")).to_have_count(0)

    def test_a_connection_that_is_offline_is_shown_at_once_also_after_a_cut_stream(self):
        page = self.page(someone())
        page.add_init_script("""
            const Stream = EventSource;
            window.EventSource = class extends Stream {
              constructor(address) { super(address); window.stream = this; }
            };
        """)
        page.reload()
        page.wait_for_function("window.stream?.readyState === EventSource.OPEN")
        # The refresh of the open stream ends first.
        page.wait_for_timeout(1000)
        # A stream that was cut is open again soon: nothing is shown yet.
        page.evaluate("stream.dispatchEvent(new Event('error'))")
        page.wait_for_timeout(500)
        expect(page.locator("#notice .ib-problem")).to_have_count(0)
        page.evaluate("dispatchEvent(new Event('offline'))")
        # By the cut stream, it would be another text, eight seconds after it.
        expect(page.locator("#notice")).to_contain_text("You’re offline.")

    def test_an_answer_that_was_on_its_way_does_not_end_the_notice_of_being_offline(self):
        person = someone()
        send(person, "First")
        page = self.page(person)
        # A refresh, and an action.
        held = self.held(page, f"{URL}/inbox")
        send(person, "Second")
        while not held:
            page.wait_for_timeout(10)
        answer = held[0].fetch()
        page.evaluate("dispatchEvent(new Event('offline'))")
        expect(page.locator("#notice")).to_contain_text("You’re offline.")
        held[0].fulfill(response=answer)
        page.wait_for_selector("text=Second")
        expect(page.locator("#notice")).to_contain_text("You’re offline.")
        page.unroute(f"{URL}/inbox")
        page.evaluate("dispatchEvent(new Event('online'))")
        expect(page.locator("#notice .ib-problem")).to_have_count(0)
        held = self.held(page, "**/dismiss*")
        page.get_by_role("button", name="Dismiss").first.click()
        while not held:
            page.wait_for_timeout(10)
        page.evaluate("dispatchEvent(new Event('offline'))")
        expect(page.locator("#notice")).to_contain_text("You’re offline.")
        # The refresh after the action is a later request, whose answer ends the notice.
        refreshes = self.held(page, f"{URL}/inbox")
        held[0].continue_()
        expect(page.locator("#notice")).to_contain_text("Undo")
        expect(page.locator("#notice .ib-problem")).to_have_count(1)
        while not refreshes:
            page.wait_for_timeout(10)
        refreshes[0].continue_()
        expect(page.locator("#notice .ib-problem")).to_have_count(0)

    def test_load_more_stays_on_the_page(self):
        person = someone()
        send_many(person, [f"Number {number:03}" for number in range(70)])
        page = self.page(person)
        page.evaluate("window.stays = true")
        self.assertEqual(len(self.titles(page)), 30)
        page.click("text=Load More")
        expect(page.locator("#messages li")).to_have_count(60)
        expect(page.locator("a:focus")).to_have_text("Number 039")
        # A new message doesn't shorten the list.
        send(person, "On top")
        page.wait_for_selector("text=On top", state="attached")
        self.assertEqual(len(self.titles(page)), 60)
        page.click("text=Load More")
        expect(page.locator("#messages li")).to_have_count(71)
        self.assertFalse(page.is_visible("text=Load More"))
        self.assertTrue(page.evaluate("window.stays"))
        self.assertEqual(page.complaints, [])

    def test_back_leads_to_the_place_of_the_message(self):
        for script in [True, False]:
            person = someone()
            send_many(person, [f"Number {number:03}" for number in range(100)])
            page = self.page(person, java_script_enabled=script)
            page.goto(f"{URL}/inbox?limit=90")
            page.click("text=Number 029")
            page.wait_for_selector("#message h1")
            page.click("text=Back")
            page.wait_for_selector("#messages")
            self.assertEqual(page.locator("#messages li").count(), 90)
            expect(page.locator("#messages h2", has_text="Number 029")).to_be_in_viewport()

    def test_load_more_keeps_the_place(self):
        person = someone()
        send_many(person, [f"Number {number:03}" for number in range(70)])
        for press in [lambda link: link.click(), lambda link: link.press("Enter")]:
            page = self.page(person, viewport={"width": 768, "height": 900})
            link = page.locator("#more a")
            link.scroll_into_view_if_needed()
            before = page.evaluate("scrollY")
            self.assertGreater(before, 0)
            press(link)
            expect(page.locator("#messages li")).to_have_count(60)
            expect(page.locator("a:focus")).to_have_text("Number 039")
            self.assertAlmostEqual(page.evaluate("scrollY"), before, delta=3)

    def held(self, page, pattern):
        """Returns the list of requests to URLs of a pattern, which wait until a test continues them."""
        requests = []
        page.route(pattern, lambda route: requests.append(route))
        return requests

    def test_blank_cards_are_shown_while_more_is_loading(self):
        person = someone()
        send_many(person, [f"Number {number:03}" for number in range(40)])
        page = self.page(person)
        held = self.held(page, "**/inbox?limit=*")
        page.click("text=Load More")
        page.wait_for_selector("#messages .ib-blank")
        self.assertEqual(page.locator("#messages li").last.get_attribute("class"), "ib-blank")
        self.assertEqual(page.get_attribute("#messages", "aria-busy"), "true")
        self.assertEqual(page.inner_text("#waiting"), "Loading…")
        self.assertGreater(page.evaluate("document.getAnimations().length"), 0)
        page.emulate_media(reduced_motion="reduce")
        page.wait_for_function("document.getAnimations().length === 0")
        # A second click sends no second request.
        page.click("text=Load More")
        held.pop().continue_()
        expect(page.locator("#messages li")).to_have_count(40)
        self.assertEqual((page.locator("#messages .ib-blank").count(), held), (0, []))
        self.assertIsNone(page.get_attribute("#messages", "aria-busy"))
        self.assertEqual(page.inner_text("#waiting"), "")
        expect(page.locator("a:focus")).to_have_text("Number 009")
        self.assertEqual(page.complaints, [])

    def test_a_failed_load_of_more_keeps_the_list(self):
        person = someone()
        send_many(person, [f"Number {number:03}" for number in range(40)])
        page = self.page(person)
        held = self.held(page, "**/inbox?limit=*")
        page.click("text=Load More")
        page.wait_for_selector("#messages .ib-blank")
        held.pop().abort()
        page.wait_for_selector("text=The server can’t be reached.")
        self.assertEqual((len(self.titles(page)), page.locator("#messages .ib-blank").count()), (30, 0))
        page.get_by_role("button", name="Try Again").click()
        page.wait_for_selector("#messages .ib-blank")
        held.pop().continue_()
        expect(page.locator("#messages li")).to_have_count(40)
        expect(page.locator("#notice .ib-problem")).to_have_count(0)

    def test_a_list_that_grew_during_a_reload_stays_long(self):
        person = someone()
        send_many(person, [f"Number {number:03}" for number in range(40)])
        page = self.page(person)
        held = self.held(page, f"{URL}/inbox")
        send(person, "On top")
        while not held:
            page.wait_for_timeout(10)
        page.click("text=Load More")
        expect(page.locator("#messages li")).to_have_count(41)
        page.evaluate(
            """() => {
              const count = () => document.querySelectorAll("#messages li").length;
              window.least = count();
              new MutationObserver(() => { window.least = Math.min(window.least, count()); })
                .observe(document.getElementById("messages"), { childList: true, subtree: true });
            }"""
        )
        held.pop().continue_()
        send(person, "Later")
        page.wait_for_selector("text=Later", state="attached")
        self.assertEqual(page.evaluate("window.least"), 41)

    def test_what_arrives_during_a_reload_is_shown_after_it(self):
        person = someone()
        send(person, "First")
        page = self.page(person)
        held, holds = [], [True]
        page.route(f"{URL}/inbox", lambda route: held.append(route) if holds else route.continue_())
        send(person, "Second")
        while not held:
            page.wait_for_timeout(10)
        answer = held[0].fetch()
        send(person, "Third")
        # The event of the third message is known, and no other one follows.
        page.wait_for_timeout(1000)
        holds.clear()
        held[0].fulfill(response=answer)
        # Sooner than by a new stream.
        page.wait_for_selector("text=Third", timeout=30_000)

    def test_blank_cards_are_shown_while_an_empty_list_is_loading(self):
        person = someone()
        page = self.page()
        page.fill("#token", token(person))
        # The refresh of the open stream ends first: on a busy server, it would have the message.
        with page.expect_response(lambda answer: answer.request.resource_type == "fetch"):
            page.click("form button")
        held = self.held(page, f"{URL}/inbox")
        send(person, "Hello")
        page.wait_for_selector("#messages .ib-blank")
        self.assertFalse(page.is_visible("text=No Messages"))
        while not page.is_visible("text=No Messages"):
            while held:
                held.pop().abort()
            page.wait_for_timeout(10)
        send(person, "Second")
        page.wait_for_selector("#messages .ib-blank")
        while self.titles(page) != ["Second", "Hello"]:
            while held:
                held.pop().continue_()
            page.wait_for_timeout(10)
        self.assertEqual(page.locator("#messages .ib-blank").count(), 0)

    def test_signed_out_elsewhere(self):
        person = someone()
        send(person, "Hello")
        page = self.page(person)
        rest("DELETE", f"/v1/people/{person}")
        page.wait_for_selector("#token")
        self.assertFalse(page.is_visible("text=Hello"))

    def test_another_sites_form_does_nothing(self):
        person = someone()
        id = send(person, "Hello")
        page = self.page(person)
        # Another site, with a form that would dismiss the message.
        form = f'<form method="post" action="{URL}/inbox/messages/{id}/dismiss"><button>Win</button></form>'
        page.context.route("https://evil.example/", lambda route: route.fulfill(body=form, content_type="text/html"))
        other = page.context.new_page()
        other.goto("https://evil.example/")
        other.click("button")
        other.wait_for_url(f"{URL}/**")
        self.assertNotIn('"type":"dismissed"', exported(person))
        page.reload()
        self.assertEqual(self.titles(page), ["Hello"])

    def test_hostile_texts_run_nothing(self):
        person = someone()
        evil = "<script>window.hit=1</script><img src=x onerror='window.hit=1'>\"'><b>"
        id = send(person, evil, body=evil, category=evil, actions=[{"id": evil, "text": evil}])
        page = self.page(person)
        send(person, evil + "2", body=evil)
        expect(page.locator("#messages li")).to_have_count(2)
        page.goto(f"{URL}/inbox/messages/{id}")
        self.assertIn("<script>", page.inner_text("h1"))
        self.assertIsNone(page.evaluate("window.hit ?? null"))
        self.assertEqual(page.complaints, [])

    def test_without_script(self):
        person = someone()
        actions = [{"id": "track", "text": "Track", "link": f"{URL}/health"}]
        send(person, "Old")
        send(person, "Parcel", body="Text", actions=actions)
        page = self.page(person, java_script_enabled=False)
        self.assertEqual(self.titles(page), ["Parcel", "Old"])
        page.click("text=Parcel")
        page.click("text=Mark as Unread")
        self.assertEqual(page.inner_text("#unread"), "2 unread messages")
        page.click("text=Track")
        page.wait_for_url("**/health")
        page.goto(f"{URL}/inbox")
        self.assertEqual(page.inner_text("#unread"), "1 unread message")
        page.locator("li", has_text="Old").get_by_role("button", name="Dismiss").click()
        self.assertEqual(self.titles(page), ["Parcel"])
        page.click("text=Undo")
        self.assertEqual(self.titles(page), ["Parcel", "Old"])
        page.click("text=Parcel")
        page.click("text=Archive")
        self.assertEqual(self.titles(page), ["Old"])
        page.click("text=Undo")
        page.click("text=Sign Out")
        self.assertTrue(page.is_visible("#token"))
