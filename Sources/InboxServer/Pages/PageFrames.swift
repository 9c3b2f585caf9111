import Foundation
import Groundwork
import Hummingbird
import InboxCards
import InboxHTML
import InboxService

/// The frames of pages, each in the language and time zone of the request's reader.
struct PageFrames: Sendable {
    /// The path of the page.
    let root: String
    let clock: any WallClock
    let random: RandomSource
    private let languages = PageLanguages()

    /// Returns the frame of a request's response, with a new nonce.
    func frame(for request: Request) -> PageFrame {
        let timeZone = Self.timeZone(of: request)
        let key = PageLanguages.Key(header: request.headers[.acceptLanguage] ?? "", timeZone: timeZone)
        return PageFrame(
            language: languages.language(key),
            now: clock.now,
            addresses: PageAddresses(root: root),
            nonce: random.token(length: 24)
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
