import Foundation
import InboxCards
import InboxClient

/// How surfaces want to be shown, as this device knows it. One that says nothing, or what can't be read, has the usual
/// settings.
struct SurfaceSettings: Sendable {
    private let known: [String: InboxSettings]

    init(_ known: [String: InboxSettings] = [:]) {
        self.known = known
    }

    /// Reads those of some surfaces.
    ///
    /// - Throws: `InboxError` where the device can't be read.
    init(of surfaces: Set<String>, in inbox: Inbox) async throws {
        var known: [String: InboxSettings] = [:]
        for surface in surfaces {
            do {
                known[surface] = try await inbox.settings(surface: surface)
            } catch let error as InboxError where error.code == .invalidAnswer {}
        }
        self.init(known)
    }

    subscript(surface: String) -> InboxSettings { known[surface] ?? InboxSettings() }

    /// The card of a message, as its surface and the reader want it.
    func card(_ message: Message, now: Date) -> Card {
        let context = CardContext(
            unreadIndicator: self[message.surface].unreadIndicator,
            relativeTime: InboxCards.RelativeTime(texts: Reader.texts, timeZone: .current),
            now: now
        )
        return Card(message, in: context)
    }
}

extension InboxSettings {
    /// What stands where a surface has no messages; empty where the settings say nothing of it.
    var emptyLines: [String] {
        let texts = [emptyTitle, emptyMessage].compactMap { $0?.plainText }.filter { !$0.isEmpty }
        return texts.flatMap { $0.split(separator: "\n") }.map { String($0).isolated }
    }
}
