"""Tests of the page's tabs, search and actions: without its script, with it, and by keyboard alone."""

import datetime

from playwright.sync_api import expect

from world import URL, BrowserTest, exported, rest, send, send_many, someone


class ActionTest(BrowserTest):
    def titles(self, page):
        return page.locator("#messages h2").all_inner_texts()

    def card(self, page, title):
        return page.locator("#messages li", has=page.locator("h2", has_text=title))

    def notice(self, page):
        return " ".join(page.inner_text("#notice").split())

    def waits_for_notice(self, page, text):
        """Waits for a notice: the list may have changed before, by the push of the change."""
        for _ in range(600):
            if text in self.notice(page):
                return
            page.wait_for_timeout(50)
        self.assertIn(text, self.notice(page))

    def test_without_script(self):
        person = someone()
        for title in ["Old shoes", "Second", "New shoes"]:
            send(person, title)
        page = self.page(person, java_script_enabled=False, timezone_id="Asia/Tokyo")
        self.card(page, "Second").get_by_role("button", name="Archive").click()
        self.assertEqual(self.titles(page), ["New shoes", "Old shoes"])
        self.assertEqual(self.notice(page), "Archived · Second Undo")
        # The keyboard goes on at the undo.
        expect(page.locator("#notice button")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#notice")).to_have_text("Undone")
        self.assertEqual(self.titles(page), ["New shoes", "Second", "Old shoes"])

        page.fill("[name=q]", "SHOES new")
        page.press("[name=q]", "Enter")
        expect(page.locator("#messages h2")).to_have_text(["New shoes"])
        expect(page.locator("#found")).to_have_text("1 message")
        self.assertEqual(page.title(), "SHOES new · 1 message · Inbox")
        menu = self.card(page, "New shoes")
        menu.locator("summary").click()
        # The time zone isn't known without the script.
        self.assertIn("UTC", menu.get_by_role("button", name="Tomorrow").inner_text())
        menu.get_by_role("button", name="Tomorrow").click()
        self.assertEqual(page.inner_text("#messages"), "No messages match your search.")
        page.click("text=Clear Search")
        self.assertEqual(self.titles(page), ["Second", "Old shoes"])
        page.click(".ib-tabs >> text=Snoozed")
        expect(page.locator("[aria-current=page]")).to_have_text("Snoozed 1")
        self.assertEqual(self.titles(page), ["New shoes"])
        page.get_by_role("button", name="Move to Inbox").click()
        self.assertEqual(page.inner_text("#messages"), "No snoozed messages.")
        page.click(".ib-tabs >> text=Inbox")

        bar = page.locator("#selection")
        expect(bar).to_be_hidden()
        for title in ["Second", "Old shoes"]:
            self.card(page, title).get_by_role("checkbox").check()
        expect(bar).to_be_visible()
        expect(bar.locator("#select-all")).to_be_hidden()
        bar.get_by_role("button", name="Mark as Read").click()
        self.assertEqual(page.inner_text("#unread"), "1 unread message")
        self.assertEqual(self.notice(page), "Marked as read · 2 messages Undo")
        page.click("text=Undo")
        page.click("text=Mark All as Read")
        self.assertEqual(page.inner_text("#unread"), "No unread messages")
        page.click("text=Undo")
        self.assertEqual(page.inner_text("#unread"), "3 unread messages")
        self.card(page, "Second").locator("summary").click()
        self.card(page, "Second").get_by_role("button", name="Delete").click()
        self.assertEqual(self.titles(page), ["New shoes", "Old shoes"])
        # A reload repeats nothing.
        page.reload()
        self.assertEqual(self.titles(page), ["New shoes", "Old shoes"])
        page.click("text=Undo")
        self.assertEqual(len(self.titles(page)), 3)
        self.assertNotIn('"type":"dismissed"', exported(person))

    def test_a_menus_button_stays_in_place(self):
        person = someone()
        for title in ["Second", "First"]:
            send(person, title)
        for width in [320, 375, 768]:
            for locale in ["en", "ar"]:
                page = self.page(person, viewport={"width": width, "height": 900}, locale=locale)
                button = self.card(page, "First").locator("summary")
                box = button.bounding_box()
                for is_open in [True, False]:
                    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
                    with self.subTest(width=width, locale=locale, is_open=is_open):
                        self.assertEqual(button.bounding_box(), box)
                        self.assertEqual(self.card(page, "First").locator("button[value=delete]").is_visible(), is_open)
                self.assertEqual(len(self.titles(page)), 2)

    def test_any_time_of_a_snooze(self):
        person = someone()
        send(person, "Hello")
        page = self.page(person, java_script_enabled=False)
        page.click("text=Hello")
        page.locator("summary").click()
        # Neither an empty field nor a time that is years away is sent: the browser says why.
        page.locator("button[value=snooze]").click()
        page.fill("[name=at]", "2999-01-01T08:00")
        page.locator("button[value=snooze]").click()
        self.assertIn("/messages/", page.url)
        # Enter in the field presses no other button.
        page.press("[name=at]", "Enter")
        self.assertIn("/messages/", page.url)
        # Other actions don't need the field.
        page.get_by_role("button", name="Mark as Unread").click()
        self.assertEqual(self.notice(page), "Marked as unread · Hello Undo")

        # A card's own menu has the field too.
        card = self.card(page, "Hello")
        card.locator("summary").click()
        day = datetime.date.today() + datetime.timedelta(days=40)
        card.locator("[name=at]").fill(f"{day}T08:00")
        card.locator("[name=at]").press("Enter")
        self.assertEqual(self.titles(page), ["Hello"])
        card.locator("button[value=snooze]").click()
        self.assertIn("Snoozed · Hello", self.notice(page))
        self.assertEqual(self.titles(page), ["No Messages"])

    def test_a_refused_time_keeps_the_selection(self):
        person = someone()
        for title in ["Third", "Second", "First"]:
            send(person, title)
        page = self.page(person)
        for title in ["Second", "First"]:
            self.card(page, title).get_by_role("checkbox").check()
        bar = page.locator("#selection")
        bar.locator("summary").click()
        # As where the menu stays open until the time is past: the server refuses it.
        bar.evaluate("form => { form.noValidate = true; }")
        bar.locator("[name=at]").fill("2020-01-01T08:00")
        bar.locator("button[value=snooze]").click()
        self.waits_for_notice(page, "Please pick a time within the next five years.")
        expect(page.locator("#messages input:checked")).to_have_count(2)
        expect(page.locator("#selected b")).to_have_text("2")
        expect(bar.locator("[name=at]")).to_have_value("2020-01-01T08:00")
        day = datetime.date.today() + datetime.timedelta(days=40)
        bar.locator("[name=at]").fill(f"{day}T08:00")
        bar.locator("button[value=snooze]").click()
        self.waits_for_notice(page, "Snoozed · 2 messages")
        expect(page.locator("#messages input:checked")).to_have_count(0)
        self.assertEqual(self.titles(page), ["Third"])

    def test_a_time_that_is_typed_stays(self):
        person = someone()
        send(person, "Hello")
        page, other = self.page(person), self.page(person)
        card = self.card(page, "Hello")
        card.locator("summary").click()
        card.locator("[name=at]").focus()
        page.evaluate("window.field = document.activeElement")
        other_card = self.card(other, "Hello")
        other_card.locator("summary").click()
        other_card.get_by_role("button", name="Mark as Read").click()
        expect(page.locator("#unread")).to_have_text("No unread messages")
        self.assertTrue(page.evaluate("window.field === document.activeElement"))
        # The card follows once the field isn't in use.
        page.keyboard.press("Escape")
        send(person, "On top")
        page.wait_for_selector("#messages >> text=On top")
        card.locator("summary").click()
        expect(card.get_by_role("button", name="Mark as Unread")).to_be_visible()

    def test_older_messages_without_script(self):
        person = someone()
        send_many(person, [f"Number {number:03}" for number in range(215)])
        page = self.page(person, java_script_enabled=False)
        page.goto(f"{URL}/inbox?limit=200")
        page.click("text=Older Messages")
        self.assertEqual(len(self.titles(page)), 15)
        page.click("text=Back")
        self.assertEqual(len(self.titles(page)), 30)

    def test_with_script(self):
        person = someone()
        for title in ["Third", "Second", "First"]:
            send(person, title)
        page = self.page(person, timezone_id="Asia/Tokyo")
        page.evaluate("window.stays = true")
        card = self.card(page, "Second")
        self.card(page, "First").get_by_role("checkbox").check()
        card.locator("summary").click()
        # A change elsewhere closes no menu and ends no selection.
        send(person, "On top")
        page.wait_for_selector("#messages >> text=On top")
        expect(card.get_by_role("button", name="Delete")).to_be_visible()
        expect(self.card(page, "First").get_by_role("checkbox")).to_be_checked()
        page.keyboard.press("Escape")
        expect(card.get_by_role("button", name="Delete")).to_be_hidden()
        expect(card.locator("summary")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator("#selection")).to_be_hidden()

        card.get_by_role("button", name="Archive").dblclick()
        page.wait_for_selector("#messages >> text=Second", state="detached")
        self.assertEqual(page.evaluate("document.activeElement.closest('li')?.querySelector('h2').innerText"), "Third")
        self.waits_for_notice(page, "Archived · Second Undo")
        expect(page.locator(".ib-tabs")).to_contain_text("Archived 1")
        page.click("text=Undo")
        page.wait_for_selector("#messages >> text=Second")
        self.waits_for_notice(page, "Undone")

        self.card(page, "Third").get_by_role("checkbox").check()
        page.click("#select-all")
        self.assertEqual(page.locator("#messages input:checked").count(), 4)
        page.locator("#selection summary").click()
        page.locator("#selection").get_by_role("button", name="Tomorrow").click()
        expect(page.locator("#messages")).to_have_text("No MessagesNew messages appear here.")
        self.waits_for_notice(page, "Snoozed · 4 messages")
        self.assertNotIn("UTC", self.notice(page))
        expect(page.locator("#selection")).to_have_count(0)
        page.click("text=Undo")
        expect(page.locator("#messages li")).to_have_count(4)
        page.click("text=Mark All as Read")
        expect(page.locator("#unread")).to_have_text("No unread messages")
        expect(page.locator("#read-all")).to_be_empty()
        # Messages that stay aren't selected any more.
        self.card(page, "Third").get_by_role("checkbox").check()
        page.locator("#selection").get_by_role("button", name="Mark as Unread").click()
        expect(page.locator("#unread")).to_have_text("1 unread message")
        expect(page.locator("#messages input:checked")).to_have_count(0)
        self.assertTrue(page.evaluate("window.stays"))
        self.assertEqual(page.complaints, [])

    def test_two_tabs(self):
        person = someone()
        send(person, "Hello")
        first = self.page(person)
        second = first.context.new_page()
        second.goto(f"{URL}/inbox")
        self.card(first, "Hello").get_by_role("button", name="Archive").click()
        first.wait_for_selector("#notice >> text=Undo")
        expect(second.locator("#messages li")).to_have_count(0)
        second.goto(f"{URL}/inbox?tab=archived")
        second.get_by_role("button", name="Move to Inbox").click()
        expect(first.locator("#messages li")).to_have_count(1)
        # Nothing is left to undo.
        first.click("text=Undo")
        expect(first.locator("#notice")).to_have_text("Undone")
        self.assertEqual(self.titles(first), ["Hello"])

    def test_by_keyboard_alone(self):
        person = someone()
        for title in ["Third", "Second", "First"]:
            send(person, title)
        for script in [True, False]:
            page = self.page(person, java_script_enabled=script)
            self.reach(page, "Select: Second")
            page.keyboard.press("Space")
            self.reach(page, "Select: Third")
            # Enter in a check box sends nothing.
            page.keyboard.press("Enter")
            page.keyboard.press("Space")
            self.reach(page, "Archive", within="#selection")
            page.keyboard.press("Enter")
            expect(page.locator("#messages li")).to_have_count(1)
            if page.locator("#notice button:focus").count() == 0:
                page.evaluate("document.activeElement.blur()") if script else None
                self.reach(page, "Undo", within="#notice")
            page.keyboard.press("Enter")
            expect(page.locator("#messages li")).to_have_count(3)
            self.reach(page, "Actions", within="li:nth-child(1)")
            page.keyboard.press("Enter")
            self.reach(page, "Mark as Read" if script else "Mark as Unread", within="li:nth-child(1)")
            page.keyboard.press("Enter")
            expect(page.locator("#unread")).to_have_text("2 unread messages" if script else "3 unread messages")
            page.context.close()

    def test_the_focus_stays_near_after_the_selection_and_after_an_undo(self):
        person = someone()
        for number in range(12):
            send(person, f"Number {number}")
        page = self.page(person, viewport={"width": 768, "height": 600})
        box = self.card(page, "Number 5").get_by_role("checkbox")
        for end in [lambda: page.locator("#selection button[type=reset]").press("Enter"),
                    lambda: page.locator("#select-all").press("Escape")]:
            box.check()
            end()
            expect(page.locator("#selection")).to_be_hidden()
            expect(box).to_be_focused()
            self.assertEqual(page.locator("#messages input:checked").count(), 0)
        self.card(page, "Number 5").get_by_role("button", name="Archive").press("Enter")
        expect(page.locator("#messages li")).to_have_count(11)
        page.locator("#notice button").press("Enter")
        back = self.card(page, "Number 5")
        expect(back.locator("a")).to_be_focused()
        expect(back.locator("a")).to_be_in_viewport()
        outline = "getComputedStyle(document.activeElement).outlineStyle"
        page.locator("#read-all button").press("Enter")
        expect(page.locator("#notice button")).to_be_focused()
        self.assertNotEqual(page.evaluate(outline), "none")
        page.keyboard.press("Enter")
        expect(page.locator("#notice")).to_have_text("Undone")
        expect(page.locator("#notice")).to_be_focused()
        self.assertNotEqual(page.evaluate(outline), "none")
        # What stays in the list after an action on the selected messages leaves the focus at the undo.
        box.check()
        page.locator("#selection button[value=read]").press("Enter")
        expect(page.locator("#notice button")).to_be_focused()
        self.assertEqual(page.complaints, [])

    def test_the_focus_is_on_the_only_message_after_an_undo(self):
        person = someone()
        send(person, "Hello")
        page = self.page(person)
        page.get_by_role("button", name="Archive", exact=True).first.press("Enter")
        expect(page.locator("#messages li")).to_have_count(0)
        page.locator("#notice button").press("Enter")
        expect(page.locator("#messages a", has_text="Hello")).to_be_focused()

    def test_the_number_of_the_selected_messages_is_announced(self):
        person = someone()
        for title in ["Third", "Second", "First"]:
            send(person, title)
        page = self.page(person)
        status = page.locator("#chosen")
        expect(status).to_have_text("")
        self.card(page, "First").get_by_role("checkbox").check()
        expect(status).to_have_text("1 Selected")
        expect(page.get_by_role("group", name="1 Selected", exact=True)).to_be_visible()
        page.click("#select-all")
        expect(status).to_have_text("3 Selected")
        expect(page.locator("#selected")).to_have_text("3 Selected")
        self.card(page, "Second").get_by_role("checkbox").uncheck()
        expect(status).to_have_text("2 Selected")
        page.locator("#selection").get_by_role("button", name="Archive").click()
        expect(page.locator("#messages li")).to_have_count(1)
        expect(status).to_have_text("")
        # Without the script, the page's style counts.
        page = self.page(person, java_script_enabled=False)
        page.locator(".ib-pick input").first.check()
        counted = page.locator("#selected b").evaluate("b => getComputedStyle(b, '::before').content")
        self.assertIn("counter", counted)

    def reach(self, page, name, within="body"):
        """Moves the focus to an element by the Tab key."""
        target = f"{within} :is(button,summary,input,a)"
        for _ in range(80):
            page.keyboard.press("Tab")
            found = page.locator(f"{target}:focus")
            if found.count() and name in [found.get_attribute("aria-label"), found.inner_text().strip()]:
                return
        self.fail(f"{name} isn't reached")

    def test_hostile_search(self):
        person = someone()
        evil = "\"'><script>window.hit=1</script><img src=x onerror='window.hit=1'>"
        send(person, evil)
        page = self.page(person)
        page.fill("[name=q]", evil)
        page.press("[name=q]", "Enter")
        page.wait_for_url("**q=*")
        self.assertEqual(page.input_value("[name=q]"), evil)
        page.get_by_role("button", name="Archive", exact=True).first.click()
        page.wait_for_selector("#notice >> text=Archived")
        self.assertIsNone(page.evaluate("window.hit ?? null"))
        self.assertEqual(page.complaints, [])
