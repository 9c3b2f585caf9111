import Foundation
import Hummingbird
import InboxCards
import InboxHTML
import InboxService

/// The reader of a page, as the request describes them.
struct PageReader: Sendable {
    let frame: PageFrame

    /// - Parameters:
    ///   - root: The path of the page.
    ///   - nonce: A nonce, new for each response.
    ///   - languages: The cache of languages.
    init(_ request: Request, root: String, now: Date, nonce: String, languages: PageLanguages) {
        let timeZone = Self.timeZone(of: request)
        let key = PageLanguages.Key(header: request.headers[.acceptLanguage] ?? "", timeZone: timeZone)
        frame = PageFrame(
            language: languages.language(key),
            now: now,
            addresses: PageAddresses(root: root),
            nonce: nonce
        )
    }

    /// Returns the time zone that the page's script has stored in a cookie, or UTC if there is none or it is invalid.
    private static func timeZone(of request: Request) -> TimeZone {
        let isName = { (byte: UInt8) in
            byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
                || "+-_/".utf8.contains(byte)
        }
        guard let name = request.cookies["inbox_zone"]?.value.removingPercentEncoding,
            (1...64).contains(name.utf8.count), name.utf8.allSatisfy(isName), let zone = TimeZone(identifier: name)
        else { return .gmt }
        return zone
    }
}

extension ListView {
    /// The number of messages on a page if the surface's settings have no capacity.
    static let defaultLimit = 30
    /// The maximum number of messages on a page. Further messages are on another page.
    static let maxLimit = 200

    /// Reads the view from an address's query.
    ///
    /// - Throws: ``Problem`` 400 for an invalid surface, position or number.
    init(_ query: QueryParameters) throws {
        self.init(
            surface: query[Name.surface],
            before: query[Name.before],
            limit: try query.int(Name.limit, in: 1...Self.maxLimit)
        )
        guard surface.map(StoredSurface.isValid) ?? true else {
            throw Problem(.badRequest, "The surface's id \(StoredSurface.rule).")
        }
        guard before == nil || place != nil else { throw Problem(.badRequest, "before isn't a position in an inbox.") }
    }

    static let names: Set<String> = [Name.surface, Name.before, Name.limit]

    /// The position after which the list begins, or nil for the newest message.
    var place: DeliveryPlace? {
        guard let parts = before?.split(separator: "-", maxSplits: 1), parts.count == 2, let time = Int(parts[0]),
            time >= 0, let id = MessageID(String(parts[1]))
        else { return nil }
        return DeliveryPlace(deliverAt: time, id: id)
    }

    /// Returns the view that shows more messages: a longer list up to ``maxLimit``, then the page that follows.
    ///
    /// - Parameter step: The number of messages to add.
    func next(after last: DeliveryPlace, shown: Int, step: Int) -> ListView {
        var next = self
        if shown + step <= Self.maxLimit {
            next.limit = shown + step
        } else {
            next.before = "\(last.deliverAt)-\(last.id.text)"
            next.limit = nil
        }
        return next
    }
}
