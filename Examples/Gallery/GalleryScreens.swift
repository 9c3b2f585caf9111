import Foundation
import InboxCards
import InboxHTML
import InboxModel

/// The pages of an inbox as the server renders them: with messages, empty and loading.
struct GalleryScreens {
    let texts: CardTexts
    let now: Date

    /// The pages by name.
    var all: [(name: String, html: [UInt8])] {
        let frame = PageFrame(
            language: PageLanguage(RelativeTime(texts: texts, timeZone: .gmt)),
            now: now,
            addresses: PageAddresses(root: "."),
            nonce: "gallery"
        )
        var settings = InboxSettings()
        settings.unreadIndicator.background = "#EAF3FF"
        settings.unreadIndicator.darkBackground = "#14263D"
        var row = settings
        row.layout = .horizontal
        let none = TabCounts(unread: UnreadCount(0))
        let counts = TabCounts(unread: UnreadCount(messages.count { $0.isUnread }), archived: UnreadCount(3))
        return [
            ("inbox", ListPage(messages: messages, counts: counts, settings: settings).html(frame)),
            ("row", ListPage(messages: messages, counts: counts, settings: row).html(frame)),
            ("empty", ListPage(messages: [], counts: none, settings: InboxSettings()).html(frame)),
            (
                "loading",
                ListPage(messages: [], counts: none, settings: settings, isLoading: true).html(frame)
            ),
            (
                "loading-more",
                ListPage(
                    messages: Array(messages.prefix(2)),
                    counts: counts,
                    settings: settings,
                    next: ListView(limit: 60),
                    isLoading: true
                ).html(frame)
            ),
            (
                "loading-row",
                ListPage(messages: Array(messages.prefix(1)), counts: counts, settings: row, isLoading: true).html(
                    frame
                )
            ),
            (
                "undo",
                ListPage(
                    messages: messages,
                    counts: counts,
                    settings: settings,
                    notice: .done(ListNotice.Done(.delete, count: 1, title: dismissed.title), undo: "token")
                ).html(frame)
            ),
            ("message", DetailPage(message: messages[0]).html(frame)),
            ("sign-in", SignInPage(destination: ".").html(frame)),
            ("sign-in-error", SignInPage(destination: ".", error: .wrongToken).html(frame)),
            ("error", ErrorPage(title: .messageGone).html(frame)),
        ]
    }

    /// A message that was just dismissed.
    private var dismissed: Message {
        var message = messages[3]
        message.id = "dismissed"
        message.deletedAt = now
        return message
    }

    private var messages: [Message] {
        func ago(_ hours: Double) -> Date { now.addingTimeInterval(-3_600 * hours) }
        let isRightToLeft = texts.isRightToLeft
        func text(_ english: String, _ arabic: String) -> String { isRightToLeft ? arabic : english }
        let parcel = Media(
            url: GallerySamples.pictures + "parcel.svg",
            darkURL: GallerySamples.pictures + "parcel-dark.svg",
            alt: text("A parcel on a table", "طرد على الطاولة")
        )
        return [
            Message(
                id: "parcel",
                title: text("Your parcel is on its way", "طلبك في الطريق"),
                body: text(
                    "It arrives tomorrow between 9 and 12. You can still choose another day until this evening.",
                    "سيصل غدًا بين التاسعة والثانية عشرة. يمكنك تغيير اليوم حتى المساء."
                ),
                media: parcel,
                actions: [
                    MessageAction(id: "track", text: text("Track it", "تتبّع الطرد"), link: "https://example.com/"),
                    MessageAction(id: "day", text: text("Change the day", "تغيير اليوم"), link: "https://example.com/"),
                ],
                deliverAt: ago(0.1)
            ),
            Message(
                id: "mountains",
                title: text("Four days in the mountains", "أربعة أيام في الجبال"),
                body: text("The early booking price ends on Sunday.", "ينتهي سعر الحجز المبكر يوم الأحد."),
                media: Media(url: GallerySamples.pictures + "mountains.svg", alt: text("Mountains", "جبال")),
                actions: [
                    MessageAction(id: "see", text: text("See the huts", "عرض الأكواخ"), link: "https://example.com/")
                ],
                templateID: CardTemplate.largeImage.rawValue,
                deliverAt: ago(3),
                dismissButton: .circle
            ),
            Message(
                id: "rider",
                title: text("Your rider is two streets away", "السائق على بعد شارعين"),
                body: text("Please come down to the door.", "يرجى النزول إلى الباب."),
                media: parcel,
                templateID: CardTemplate.push.rawValue,
                category: text("Deliveries", "التوصيل"),
                deliverAt: ago(20),
                readAt: now
            ),
            Message(
                id: "welcome",
                title: text("Welcome", "أهلًا بك"),
                body: text(
                    "Good to have you here. This is where we'll write to you.",
                    "يسعدنا وجودك هنا. سنكتب إليك في هذا المكان."
                ),
                deliverAt: ago(24 * 40),
                readAt: now
            ),
        ]
    }
}
