import Foundation
import InboxCards
import InboxModel
import Testing

@Suite(.timeLimit(.minutes(5))) struct CardTests {
    private let now = Date(timeIntervalSince1970: 1_777_593_600)

    private func card(_ indicator: UnreadIndicator = UnreadIndicator(), _ change: (inout Message) -> Void) -> Card {
        var message = Message(id: "m", deliverAt: now.addingTimeInterval(-7_200))
        change(&message)
        let context = CardContext(
            unreadIndicator: indicator,
            relativeTime: RelativeTime(texts: CardTexts(.english), timeZone: .gmt),
            now: now
        )
        return Card(message, in: context)
    }

    private func full(_ template: CardTemplate?) -> Card {
        card {
            ($0.title, $0.body, $0.category) = ("Title", "Body", "Orders")
            $0.media = Media(url: "https://example.com/a.png", alt: "A map")
            $0.actions = [MessageAction(id: "go", text: "Go"), MessageAction(id: "stay", text: "Stay")]
            $0.templateID = template?.rawValue
        }
    }

    /// The content in reading order: texts, and the descriptions of pictures.
    private func reading(_ card: Card) -> [String] {
        card.content.flattened.compactMap { element in
            switch element {
            case .text(let text): text.content
            case .time(let time): time.text.content
            case .image(let image): "[\(image.alt ?? "")]"
            case .button(let button): "(\(button.text.content))"
            case .stack: nil
            }
        }
    }

    @Test func `each template has its parts in reading order`() {
        #expect(reading(full(.smallImage)) == ["[A map]", "Title", "Body", "2 hours ago", "(Go)", "(Stay)"])
        #expect(reading(full(.largeImage)) == ["[A map]", "Title", "Body", "2 hours ago", "(Go)", "(Stay)"])
        #expect(reading(full(.imageOnly)) == ["[A map]"])
        #expect(reading(full(.plainText)) == ["Title", "Body", "2 hours ago", "(Go)", "(Stay)"])
        #expect(reading(full(.push)) == ["Orders", "2 hours ago", "Title", "Body", "(Go)", "(Stay)", "[A map]"])
        #expect(reading(full(nil)) == ["[A map]", "Title", "Body", "2 hours ago", "(Go)", "(Stay)"])
    }

    @Test(arguments: CardTemplate.allCases)
    func `the category is the caption of a push card only`(_ template: CardTemplate) {
        #expect(full(template).caption?.content == (template == .push ? "Orders" : nil))
    }

    @Test(arguments: [
        (MessageAction(id: "1", text: "Go", link: "https://e.com"), "Go"),
        (MessageAction(id: "1", text: "", link: "https://e.com/3"), "e.com"),
        (MessageAction(id: "1", text: " \u{200B}", link: "https://e.com/3"), "e.com"),
        (MessageAction(id: "1", text: "", link: "tel:+4912"), "tel:+4912"),
        (MessageAction(id: "1", text: "", value: "buy"), "buy"), (MessageAction(id: "1", text: "", type: "t"), "t"),
        (MessageAction(id: "1", text: ""), "1"), (MessageAction(id: "", text: ""), "…"),
        (
            MessageAction(id: "1", text: "", link: "tel:" + String(repeating: "1", count: 500)),
            "tel:" + String(repeating: "1", count: 196)
        ),
    ])
    func `a button of a stored message without a label has a name`(_ action: MessageAction, _ name: String) {
        #expect(card { $0.actions = [action] }.buttons.map(\.text.content) == [name])
    }

    @Test func `a link without an address is none`() {
        #expect(card { $0.link = "" }.link == nil)
        #expect(card { $0.link = "https://example.com" }.link == "https://example.com")
    }

    @Test func `a hidden unread indicator has no background, and one color stands for both`() {
        let hidden = UnreadIndicator(isShown: false, background: "#FF0000")
        #expect(card(hidden) { $0.title = "Title" }.unreadIcon == nil)
        #expect(card(hidden) { $0.title = "Title" }.unreadBackground == nil)
        let dark = UnreadIndicator(darkBackground: "#112233")
        #expect(card(dark) { $0.title = "Title" }.unreadBackground?.light == CardColor.RGBA(text: "#112233"))
    }

    @Test(arguments: CardTemplate.allCases)
    func `a card without its parts has an empty tree`(_ template: CardTemplate) {
        var card = full(template)
        (card.title, card.body, card.caption, card.image, card.time, card.buttons) = (nil, nil, nil, nil, nil, [])
        #expect(reading(card) == [])
        #expect(card.content.flattened.allSatisfy { if case .stack = $0 { true } else { false } })
    }

    @Test func `the label of a card without text is Message`() {
        let picture = card { $0.media = Media(url: "https://example.com/a.png") }
        #expect(picture.label == "Unread, Message")
        #expect(card { $0.media = Media(url: "https://example.com/a.png", alt: "A map") }.label == "Unread, A map")
    }

    @Test func `a customized time stays, and a generated time is updated`() {
        let message = Message(id: "m", title: "Title", deliverAt: now.addingTimeInterval(-7_200))
        var context = CardContext(relativeTime: RelativeTime(texts: CardTexts(.english), timeZone: .gmt), now: now)
        var (generated, custom) = (Card(message, in: context), Card(message, in: context))
        custom.time?.text.content = "Before lunch"
        for hours in [3.0, 4] {
            context.now = now.addingTimeInterval((hours - 2) * 3_600)
            generated.updateTime(message, in: context)
            custom.updateTime(message, in: context)
            #expect(generated.time?.text.content == "\(Int(hours)) hours ago")
            #expect(custom.time?.text.content == "Before lunch")
        }
    }

    @Test func `a small image makes a row, a large image a column, 8 points apart`() throws {
        for (template, axis) in [(CardTemplate.smallImage, StackElement.Axis.horizontal), (.largeImage, .vertical)] {
            guard case .stack(let root) = full(template).content, case .stack(let texts) = root.children[1] else {
                Issue.record("no stacks")
                return
            }
            #expect(root.axis == axis && root.style == StackStyle(spacing: 8, alignment: .center))
            #expect(texts.axis == .vertical && texts.style == StackStyle(spacing: 8, alignment: .leading))
        }
    }

    @Test func `the defaults are Adobe's`() {
        let card = full(.smallImage)
        #expect(card.title?.font == CardFont(size: 15, weight: .medium) && card.title?.color == .primary)
        #expect(card.body?.font == CardFont(size: 13) && card.body?.color == .secondary)
        #expect(card.buttons[0].text.font == CardFont(size: 13) && card.buttons[0].text.color == .accent)
        #expect(card.image?.contentMode == .fit)
        #expect(card.dismissButton?.padding == CardInsets(8) && card.dismissButton?.targetSize == 44)
        #expect(card.unreadIcon?.size == 16)
    }

    @Test func `a template that doesn't fit is replaced by one that does`() {
        #expect(CardTemplate(for: Message(id: "m", title: "T", templateID: "smallimage", deliverAt: now)) == .plainText)
        #expect(CardTemplate(for: Message(id: "m", body: "B", templateID: "SmallImage", deliverAt: now)) == .plainText)
        #expect(CardTemplate(for: Message(id: "m", title: "T", templateID: "ImageOnly", deliverAt: now)) == .plainText)
        let media = Media(url: "https://example.com/a.png")
        #expect(CardTemplate(for: Message(id: "m", media: media, deliverAt: now)) == .imageOnly)
        #expect(
            CardTemplate(for: Message(id: "m", title: "T", media: media, templateID: "mine", deliverAt: now))
                == .smallImage
        )
    }

    @Test func `a message of HTML only has a title`() {
        #expect(card { $0.html = "<p>Hello</p>" }.title?.content == "Message")
    }

    @Test func `the dismiss button has the sender's style, simple by default`() {
        #expect(card { $0.title = "T" }.dismissButton?.style == .simple)
        #expect(card { $0.dismissButton = .circle }.dismissButton?.style == .circle)
        #expect(card { $0.dismissButton = DismissButton.none }.dismissButton == nil)
        #expect(card { $0.dismissButton = .other("spiral") }.dismissButton == nil)
    }

    @Test func `an unread card has its mark in its corner and its background`() {
        var indicator = UnreadIndicator(
            placement: .bottomLeft,
            size: 24,
            background: "#FF0000",
            darkBackground: "#0000FF80"
        )
        indicator.icon = Media(url: "https://example.com/dot.png")
        let unread = card(indicator) { $0.title = "T" }
        #expect(unread.shownUnreadIcon?.placement == .bottomLeading && unread.shownUnreadIcon?.size == 24)
        #expect(unread.shownUnreadIcon?.image?.media.url == "https://example.com/dot.png")
        #expect(unread.background.light == CardColor.RGBA(0xFF0000))
        #expect(unread.background.dark == CardColor.RGBA(red: 0, green: 0, blue: 255, alpha: 128))
        #expect(unread.label.hasPrefix("Unread"))
        var read = unread
        read.isUnread = false
        #expect(read.shownUnreadIcon == nil && read.background == .card && !read.label.contains("Unread"))
        #expect(
            card(UnreadIndicator(placement: .other("middle"))) { $0.title = "T" }.unreadIcon?.placement == .topTrailing
        )
    }

    @Test func `a picture without alternative text is decorative`() {
        #expect(card { $0.media = Media(url: "https://example.com/a.png", alt: "") }.image?.alt == nil)
    }

    @Test func `inbox settings become Adobe's schema data`() {
        var settings = InboxSettings(title: "News", layout: .other("spiral"), capacity: 5)
        #expect(SurfaceAppearance(settings).layout == .vertical)
        #expect(SurfaceAppearance(settings).emptyState == nil)
        settings.emptyMessage = "Nothing yet"
        settings.emptyImage = Media(icon: "tray")
        let data = SurfaceAppearance(settings)
        #expect(data.heading?.content == "News" && data.heading?.role == .heading(level: 1))
        #expect(data.capacity == 5 && data.showsUnread)
        #expect(data.emptyState?.message?.content == "Nothing yet")
        #expect(data.emptyState?.image?.maxHeight == 120)
    }

    @Test func `a picture's space is known before the picture is`() {
        let sized = Media(url: "https://example.com/a.png", width: 1_200, height: 400)
        #expect(ImageElement(sized).reservedRatio(of: 1) == 3)
        // One side says nothing, and a strip has a limit.
        let half = Media(url: "https://example.com/a.png", width: 1_200)
        #expect(ImageElement(half, width: 72).reservedRatio(of: nil) == 1)
        #expect(ImageElement(half).reservedRatio(of: nil) == 16.0 / 9 && ImageElement(half).reservedRatio(of: 2) == 2)
        #expect(Media(url: "https://example.com/a.png", width: 9_000, height: 1).aspectRatio == 10)
        #expect(Media(url: "https://example.com/a.png", width: 1, height: 9_000).aspectRatio == 0.1)
        #expect(Media(url: "https://example.com/a.png", width: 0, height: 9).aspectRatio == nil)
    }

    @Test func `the dark variant of a picture is used in dark mode only`() {
        let both = ImageElement(Media(url: "https://example.com/a.png", darkURL: "https://example.com/d.png"))
        #expect(both.address(isDark: false) == "https://example.com/a.png")
        #expect(both.address(isDark: true) == "https://example.com/d.png")
        #expect(
            ImageElement(Media(url: "https://example.com/a.png")).address(isDark: true) == "https://example.com/a.png"
        )
        #expect(ImageElement(Media(icon: "tray")).address(isDark: true) == nil)
    }

    @Test func `at large text sizes a row of buttons becomes a column, one with an image stays`() {
        let row = StackElement(.horizontal, full(.smallImage).buttons.map(CardElement.button))
        #expect(row.children.count == 2)
        #expect(row.axis(isLarge: true) == .vertical && row.axis(isLarge: false) == .horizontal)
        let root = StackElement(.horizontal, [.image(ImageElement(Media(icon: "tray")))])
        #expect(root.axis(isLarge: true) == .horizontal)
        #expect(StackElement(.vertical, []).axis(isLarge: true) == .vertical)
    }
}
