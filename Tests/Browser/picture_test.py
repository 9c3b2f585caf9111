"""Pictures that can't be loaded: a place of their own, whose text is small and muted."""

from world import PICTURES, URL, BrowserTest, picture, send, someone

MISSING = f"{URL}/inbox/pictures/missing.svg"
ALT = "A map: the rider is two streets away from the house at the harbour"
# In one call: the page draws a card again when it was seen, and an element of before has no style.
STYLES = """() => {
    // A page that is drawn late would load lazy ones late, too.
    const images = [...document.querySelectorAll("article img")]
    for (const image of images) image.loading = 'eager'
    return images.length && images.every(image => image.complete) && images.map(image => {
        const style = getComputedStyle(image), card = getComputedStyle(image.closest('article'))
        const box = image.getBoundingClientRect(), around = image.closest('article').getBoundingClientRect()
        return {
            loaded: image.naturalWidth > 0, width: box.width, height: box.height, around: around.width,
            size: parseFloat(style.fontSize), color: style.color, background: style.backgroundColor,
            text: card.color, card: card.backgroundColor, cover: getComputedStyle(image, '::after').content,
            coverWidth: parseFloat(getComputedStyle(image, '::after').width),
        }
    })
}"""


class PictureTest(BrowserTest):
    def boxes(self, page):
        return page.wait_for_function(STYLES).json_value()

    def test_a_picture_that_cant_be_loaded_keeps_a_quiet_place(self):
        person = someone()
        media = {"url": MISSING, "alt": ALT}
        send(person, "Large", body="Text", media=media, templateId="LargeImage")
        send(person, "", media=media)
        send(person, "Push", body="Text", media=media, templateId="Push")
        id = send(person, "Small", body="Text", media=media)
        for scheme in ["light", "dark"]:
            for width in [390, 1200]:
                options = {"color_scheme": scheme, "viewport": {"width": width, "height": 2000}}
                page = self.page(person, **options)
                small, push, only, large = self.boxes(page)
                page.goto(f"{URL}/inbox/messages/{id}")
                [detail] = self.boxes(page)
                for box, ratio in [(small, 4 / 3), (push, 1), (only, 16 / 9), (large, 16 / 9), (detail, 16 / 9)]:
                    with self.subTest(scheme=scheme, width=width, box=box):
                        self.assertFalse(box["loaded"])
                        self.assertAlmostEqual(box["width"] / box["height"], ratio, delta=0.02)
                        self.assertLess(box["size"], 12)
                        self.assertNotEqual(box["color"], box["text"])
                        self.assertNotEqual(box["background"], box["card"])
                        # The text in the middle covers the browser's icon of a broken picture.
                        self.assertIn(ALT, box["cover"])
                        self.assertGreater(box["coverWidth"], box["width"] * 0.75)
                self.assertEqual((small["width"], push["width"]), (72, 48))
                self.assertGreater(large["width"], large["around"] * 0.8)
                self.assertEqual(page.complaints, [])

    def test_a_loaded_picture_has_its_own_ratio(self):
        person = someone()
        send(person, "Large", body="Text", media={"url": f"{PICTURES}/a.png", "alt": ALT}, templateId="LargeImage")
        send(person, "Small", body="Text", media={"url": f"{PICTURES}/a.png", "alt": ALT})
        page = self.page(person)
        for box in self.boxes(page):
            self.assertTrue(box["loaded"])
            self.assertAlmostEqual(box["width"] / box["height"], 480 / 270, delta=0.02)

    def test_a_card_has_a_greatest_height(self):
        person = someone()
        tall = {"url": f"{PICTURES}/tall.png", "alt": ALT}
        send(person, "Large", body="Text", media=tall, templateId="LargeImage")
        send(person, "Small", body="Text", media=tall)
        send(person, "Title " * 150, body="Text " * 10_000)
        send(person, "Lines", body="One\n" * 500)
        for width in [320, 1200]:
            page = self.page(person, viewport={"width": width, "height": 900})
            content = picture(300, 900)
            page.context.route(
                f"{PICTURES}/tall.png", lambda route: route.fulfill(body=content, content_type="image/png")
            )
            page.reload()
            self.boxes(page)
            heights = page.evaluate("[...document.querySelectorAll('article')].map(a => a.offsetHeight)")
            self.assertEqual([height < 600 for height in heights], [True] * 4, heights)
            self.assertLess(page.evaluate("document.querySelectorAll('article')[2].offsetHeight"), 200)
            # The link is on the whole card nevertheless.
            page.locator("article").first.click(position={"x": 20, "y": heights[0] - 8})
            page.wait_for_selector("#message")
            self.assertEqual(page.complaints, [])
