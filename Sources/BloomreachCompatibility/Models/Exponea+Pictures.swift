package import Foundation
import InboxClient

extension Exponea {
    /// Returns the bytes of a picture of the web by the current customer's inbox, which fetches it once, limits its
    /// size and sends no cookie. Returns nil without an inbox, or if the picture can't be loaded.
    func picture(at url: URL) async -> Data? {
        guard let inbox = try? await currentInbox(),
            case .picture(let data) = try? await inbox.picture(at: url.absoluteString)
        else { return nil }
        return data
    }
}

extension AppInboxListModel {
    /// Returns the bytes of a row's picture; nil if it can't be loaded.
    package func picture(at url: URL) async -> Data? { await client.picture(at: url) }
}

extension AppInboxDetailModel {
    /// Returns the bytes of the message's picture; nil if it can't be loaded.
    package func picture(at url: URL) async -> Data? { await client.picture(at: url) }
}
