import Foundation
import InboxCards
import InboxClient

/// The display settings of surfaces on this device. A surface without settings, or with unreadable ones, has the
/// defaults.
struct SurfaceSettings: Sendable {
    private let known: [String: InboxSettings]

    init(_ known: [String: InboxSettings] = [:]) {
        self.known = known
    }

    /// Reads the settings of some surfaces.
    ///
    /// - Throws: `InboxError` if the device's store can't be read.
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

    /// Returns the card of a message with the surface's settings and the reader's language.
    func card(_ message: Message, now: Date) -> Card {
        let context = CardContext(
            unreadIndicator: self[message.surface].unreadIndicator,
            relativeTime: RelativeTime(texts: TerminalLanguage.texts, timeZone: .current),
            now: now
        )
        return Card(message, in: context)
    }
}

extension InboxSettings {
    /// The lines for a surface without messages. Empty if the settings define none.
    var emptyLines: [String] {
        let texts = [emptyTitle, emptyMessage].compactMap { $0?.plainText }.filter { !$0.isEmpty }
        return texts.flatMap { $0.split(separator: "\n") }.map { String($0).isolated }
    }
}
