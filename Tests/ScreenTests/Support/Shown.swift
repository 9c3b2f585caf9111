import Foundation
import InboxCards
import InboxClient
import InboxModel
import InboxViews
import Screens
@testable import SwiftUI

extension ScreenDevice {
    convenience init(_ messages: Message..., isSynced: Bool = false) async throws {
        try await self.init(messages, settings: nil, surface: Message.defaultSurface)
        if isSynced { try await inbox.sync() }
    }

    /// The number of messages of a part of the inbox on the server's side of a sync.
    func ids(in filter: MessageFilter) async throws -> [String] {
        try await inbox.fetch(Query<Message>(), in: filter).map(\.id)
    }
}

extension View {
    /// The view in English, with an inbox.
    func shown(with inbox: Inbox?) -> some View { self.inbox(inbox).inboxTexts(CardTexts(.english)) }
}

extension Person {
    /// A person at the screen of an inbox, on a phone unless another width is given.
    convenience init(at inbox: Inbox?, isCompact: Bool = true) {
        self.init(InboxScreen().shown(with: inbox)) { $0.isCompact = isCompact }
    }
}
