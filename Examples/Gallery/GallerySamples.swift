import Foundation
import InboxCards
import InboxModel

/// The messages of the gallery: every template, unread and read, short and long, complete and almost empty.
struct GallerySamples {
    let isRightToLeft: Bool
    let now: Date

    /// The URL at which the script that opens the pages serves the pictures.
    static let pictures = "https://gallery.example/"

    /// Headings, each with its messages.
    var sections: [(heading: String, messages: [Message])] {
        CardTemplate.allCases.map { template in (template.rawValue, messages(of: template)) } + [
            ("Without a template", withoutTemplate), ("Edge cases", edgeCases),
        ]
    }

    private func messages(of template: CardTemplate) -> [Message] {
        [false, true].flatMap { isRead in
            [
                sample(template, isRead: isRead, dismiss: isRead ? .circle : .simple, hasButtons: true),
                sample(template, isRead: isRead, dismiss: DismissButton.none, hasButtons: false),
            ]
        }
    }

    private var withoutTemplate: [Message] {
        [
            sample(nil, isRead: false, dismiss: nil, hasButtons: true),
            sample(nil, isRead: true, dismiss: nil, hasButtons: false, hasPicture: false),
        ]
    }

    private var edgeCases: [Message] {
        let long = Array(repeating: text.body, count: 6).joined(separator: " ")
        let endless = String(repeating: "Donaudampfschifffahrtsgesellschaft", count: 6)
        return [
            message("long") {
                ($0.title, $0.body) = (text.title + " " + long.prefix(120), long)
                $0.actions = (1...4).map {
                    MessageAction(id: "\($0)", text: text.action + " \($0)", link: "https://example.com/")
                }
            },
            message("endless") { ($0.title, $0.body) = (endless, endless) },
            message("hostile") {
                $0.title = "<script>alert(1)</script> & \"quotes\""
                $0.body = "\u{202E}backwards, then <b>not bold</b>\nand a second line"
                $0.link = "javascript:alert(1)"
            },
            message("alternative") {
                $0.title = text.title
                $0.media = Media(bundle: "in-the-app", alt: text.alt)
                $0.templateID = CardTemplate.largeImage.rawValue
            },
            message("html") { $0.html = "<p>HTML alone</p>" },
            message("body") { ($0.body, $0.link) = (text.body, "https://example.com/") },
        ]
    }

    /// An unread message for each unread indicator: in the four corners, then with a custom picture.
    var indicatorSamples: [(Message, UnreadIndicator)] {
        let corners: [UnreadIndicator.Placement] = [.topLeft, .topRight, .bottomLeft, .bottomRight]
        let icon = UnreadIndicator(size: 24, icon: Media(url: Self.pictures + "star.svg"))
        let indicators = corners.map { UnreadIndicator(placement: $0) } + [icon]
        return indicators.enumerated().map { number, indicator in
            (message("mark-\(number)") { ($0.title, $0.body) = (text.title, text.body) }, indicator)
        }
    }

    // MARK: - Parts

    private func sample(
        _ template: CardTemplate?,
        isRead: Bool,
        dismiss: DismissButton?,
        hasButtons: Bool,
        hasPicture: Bool = true
    ) -> Message {
        message("\(template?.rawValue ?? "usual")-\(isRead)-\(hasButtons)-\(hasPicture)") {
            ($0.title, $0.body, $0.category) = (text.title, text.body, text.category)
            $0.templateID = template?.rawValue
            $0.dismissButton = dismiss
            if isRead { $0.readAt = now }
            if hasButtons {
                $0.actions = [
                    MessageAction(id: "track", text: text.action, link: "https://example.com/track"),
                    MessageAction(id: "more", text: text.second, link: "https://example.com/more"),
                ]
            }
            guard hasPicture else { return }
            let isLarge = template == .largeImage || template == .imageOnly
            $0.media = Media(
                url: Self.pictures + (isLarge ? "mountains.svg" : "parcel.svg"),
                darkURL: isLarge ? nil : Self.pictures + "parcel-dark.svg",
                alt: text.alt
            )
            $0.link = "https://example.com/"
        }
    }

    private func message(_ id: String, _ change: (inout Message) -> Void) -> Message {
        var message = Message(id: id, deliverAt: now.addingTimeInterval(-2 * 3_600))
        change(&message)
        return message
    }

    private var text: (title: String, body: String, category: String, action: String, second: String, alt: String) {
        isRightToLeft
            ? (
                "طلبك في الطريق", "سيصل غدًا بين التاسعة والثانية عشرة. يمكنك تغيير اليوم حتى المساء.", "الطلبات",
                "تتبّع الطرد", "تغيير اليوم", "طرد على الطاولة"
            )
            : (
                "Your parcel is on its way",
                "It arrives tomorrow between 9 and 12. You can still choose another day until this evening.", "Orders",
                "Track it", "Change the day", "A parcel on a table"
            )
    }
}
