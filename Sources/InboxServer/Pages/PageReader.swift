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
