import Foundation
import Groundwork
public import HTMLCleaning
import InboxModel

/// A message's HTML for a screen: cleaned, with its pictures in it.
///
/// Nothing in it runs, and nothing is loaded: a picture is in the document as a `data:` URL, or it is a placeholder
/// with the picture's text.
public struct MessageHTML: Sendable {
    /// The cleaned HTML, with its links and pictures as data, and the number of tracking pixels that were removed.
    public let html: CleanHTML
    /// The document for a web view without JavaScript. Its title is the message's.
    public let document: HTMLDocument
    /// The message's actions with their labels, and the decision about a click.
    public let actions: HTMLActions
    /// The number of pictures that are shown.
    public let shownPictureCount: Int
    /// The number of pictures that have a placeholder in their place, because they aren't on this device.
    public let missingPictureCount: Int

    /// The maximum size of the pictures within a message, in bytes. A picture that is shown twice counts twice. The
    /// further ones are placeholders.
    public static let maxTotalSize = 20 << 20
}

extension MessageHTML {
    /// The cleaner of messages. Links have any scheme that runs no code, because an app has schemes of its own
    /// (``LinkOpener``). Close buttons are removed: an inbox's own screen has one.
    private static func cleaner(_ medium: HTMLMedium) -> HTMLCleaner {
        HTMLCleaner(.init(linkSchemes: nil, readsActions: true, medium: medium))
    }

    /// Returns the addresses of a message's pictures for a medium, each once, in document order.
    static func pictureAddresses(in html: String, medium: HTMLMedium) -> [String] {
        var addresses: [String] = []
        var known: Set<String> = []
        _ = cleaner(medium).clean(
            html,
            pictures: { picture in
                if PictureAddress.url(picture.url) != nil, known.insert(picture.url).inserted {
                    addresses.append(picture.url)
                }
                return .placeholder
            }
        )
        return addresses
    }

    /// - Parameter pictures: The bytes of pictures by address.
    init(_ html: String, title: String, medium: HTMLMedium, pictures: [String: Data]) {
        var (shown, missing, remainingBytes) = (0, 0, Self.maxTotalSize)
        let cleaned = Self.cleaner(medium).clean(
            html,
            pictures: { picture in
                guard let bytes = pictures[picture.url], let type = PictureType(of: bytes),
                    bytes.count <= remainingBytes
                else {
                    missing += 1
                    return .placeholder
                }
                // Hostile HTML could show one picture a thousand times.
                remainingBytes -= bytes.count
                shown += 1
                return .replace("data:\(type.mediaType);base64,\(bytes.base64EncodedString())")
            }
        )
        self.html = cleaned
        document = HTMLDocument(cleaned, title: title)
        actions = HTMLActions(cleaned)
        (shownPictureCount, missingPictureCount) = (shown, missing)
    }
}
