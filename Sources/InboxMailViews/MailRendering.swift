import Foundation
import HTMLCleaning
import HTMLViews
import InboxMail

/// A mail's body, made for a view.
struct MailRendering: Sendable {
    let parts: [(kind: MailText.Part.Kind, content: MailBodyPart.Content)]
    /// Whether the author's own parts have something to see.
    let hasOwnText: Bool
    let hiddenPictureCount: Int
    /// The number of pictures on the web that are allowed and aren't on this device.
    let missingPictureCount: Int
    let trackingPixelCount: Int
    /// Whether the whole text of the mail is shown.
    let isComplete: Bool

    /// Cleans the body. It takes time.
    @concurrent
    static func make(
        _ body: MailBody,
        title: String,
        pictures: MailPictures,
        for viewport: HTMLViewport
    ) async -> MailRendering {
        guard let whole = body.cleaned(title: title, pictures: pictures, medium: viewport.medium) else {
            let parts = body.parts.filter { !$0.text.isBlank }
            return MailRendering(
                parts: parts.map { ($0.kind, .text($0.linkedText)) },
                hasOwnText: parts.contains { $0.kind == .own },
                hiddenPictureCount: 0,
                missingPictureCount: 0,
                trackingPixelCount: 0,
                isComplete: true
            )
        }
        let parts = body.htmlParts(pictures: pictures, medium: viewport.medium).filter(\.html.isVisible)
        return MailRendering(
            parts: parts.map { ($0.kind, .html(HTMLPage($0.html, title: title, for: viewport))) },
            hasOwnText: parts.contains { $0.kind == .own },
            hiddenPictureCount: whole.blockedPictureCount,
            missingPictureCount: whole.missingRemotePictureCount,
            trackingPixelCount: whole.html.trackingPixelCount,
            isComplete: whole.html.isComplete
        )
    }
}

extension MailText.Part {
    /// The text with its links, without the empty lines around it.
    fileprivate var linkedText: AttributedString {
        var linked = AttributedString()
        var end = text.startIndex
        for link in links {
            linked += AttributedString(text[end..<link.range.lowerBound])
            var name = AttributedString(text[link.range])
            name.link = link.url
            linked += name
            end = link.range.upperBound
        }
        linked += AttributedString(text[end...])
        while let first = linked.characters.first, first.isNewline { linked.characters.removeFirst() }
        while let last = linked.characters.last, last.isWhitespace { linked.characters.removeLast() }
        return linked
    }
}

extension CleanHTML {
    /// Whether there is something to see: text, or a picture.
    fileprivate var isVisible: Bool {
        !pictures.allSatisfy(\.isTrackingPixel) || !HTMLText(self, width: 80).lines.isEmpty
    }
}

extension StringProtocol {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
