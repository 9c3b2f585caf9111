import Foundation
import Hummingbird
import InboxCards
import InboxHTML
import InboxService

/// What a request says about who reads the page.
struct PageReader: Sendable {
    let frame: PageFrame

    /// - Parameters:
    ///   - root: The path of the page.
    ///   - nonce: A new one for each answer.
    ///   - languages: Those of other readers.
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

    /// The one that the page's script has found out; UTC where there is none or it isn't one.
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
    /// How many messages a page has where the surface's settings say nothing of it.
    static let usualLimit = 30
    /// How many it may have. What goes on past that is a page of its own.
    static let longestLimit = 200

    /// What an address asks for.
    ///
    /// - Throws: ``Problem`` 400 for what isn't a surface, a place or a number.
    init(_ query: Query) throws {
        self.init(
            surface: query[Name.surface],
            before: query[Name.before],
            limit: try query.int(Name.limit, in: 1...Self.longestLimit)
        )
        guard surface.map(StoredSurface.isValid) ?? true else {
            throw Problem(.badRequest, "The surface's id \(StoredSurface.rule).")
        }
        guard before == nil || place != nil else { throw Problem(.badRequest, "before isn't a place in an inbox.") }
    }

    static let names: Set<String> = [Name.surface, Name.before, Name.limit]

    /// After which message the list begins; nil for the newest.
    var place: DeliveryPlace? {
        guard let parts = before?.split(separator: "-", maxSplits: 1), parts.count == 2, let time = Int(parts[0]),
            time >= 0, let id = MessageID(String(parts[1]))
        else { return nil }
        return DeliveryPlace(deliverAt: time, id: id)
    }

    /// The same that goes on, where there is more after the last that is shown: longer up to a length, then from there.
    ///
    /// - Parameter step: How many more are shown at a time.
    func next(after last: DeliveryPlace, shown: Int, step: Int) -> ListView {
        var next = self
        if shown + step <= Self.longestLimit {
            next.limit = shown + step
        } else {
            next.before = "\(last.deliverAt)-\(last.id.text)"
            next.limit = nil
        }
        return next
    }
}
