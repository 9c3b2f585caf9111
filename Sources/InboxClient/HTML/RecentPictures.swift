import Foundation
import Groundwork
import HTMLCleaning
import InboxModel
import Replica

/// Fetches the pictures of the newest messages in advance, so that the messages are complete without a network.
///
/// Guarded by the actor: the messages that were tried, so that they aren't read again after each round. A picture that
/// fails is tried again when its message is opened.
actor RecentPictures {
    private let source: PictureSource
    private let store: ReplicaStore
    private let count: Int
    private let budget: Int
    /// The HTML that was tried, by message.
    private var tried: [String: String] = [:]

    /// - Parameters:
    ///   - count: The number of newest messages.
    ///   - budget: The maximum size of all stored pictures, in bytes.
    init(_ source: PictureSource, of store: ReplicaStore, count: Int, budget: Int) {
        (self.source, self.store, self.count, self.budget) = (source, store, count, budget)
    }

    /// Fetches pictures after each round, until the task is cancelled or the inbox is closed.
    func run(after rounds: AsyncStream<Void>) async {
        for await _ in rounds {
            // After a failure of the file, the next round tries again.
            try? await fetch()
        }
    }

    /// Fetches the pictures of the newest messages, newest first, as long as half of the budget is free. The other half
    /// is for messages that the person opens.
    func fetch() async throws {
        let messages = try await store.read { [count] db in
            try db.messages(.inbox, surface: nil, limit: count, offset: 0)
        }
        tried = tried.filter { id, _ in messages.contains { $0.id == id } }
        for message in messages {
            guard let html = message.html, !html.isEmpty, tried[message.id] != html else { continue }
            try Task.checkCancellation()
            guard try await store.read({ db in try db.pictureBytes(of: .message) }) < budget / 2 else { return }
            _ = try await source.pictures(of: message.id, html, medium: HTMLMedium(), fetches: true)
            tried[message.id] = html
        }
    }
}

extension PictureSource {
    /// Returns the bytes of the pictures of a message's HTML by address, as
    /// ``pictures(_:of:id:fetches:isCurrent:)`` does.
    func pictures(
        of id: String,
        _ html: String,
        medium: HTMLMedium,
        fetches: Bool
    ) async throws -> [String: Data] {
        try await pictures(
            MessageHTML.pictureAddresses(in: html, medium: medium),
            of: .message,
            id: id,
            fetches: fetches,
            // The message may be changed during the fetch.
            isCurrent: { db in try db.storedMessage(id: id)?.html == html }
        )
    }
}
