public import InboxClient
public import Observation
import Replica

/// The number of unread messages, kept up to date, such as for a badge.
@MainActor
@Observable
public final class UnreadCountModel {
    /// The number of unread messages: 0 until it is known, and after the inbox was closed. While the store can't be
    /// read, it stays as it was.
    public private(set) var value: Int

    @ObservationIgnored private let observation = OwnedTask()

    /// Creates a model that counts unread messages.
    ///
    /// - Parameters:
    ///   - inbox: The inbox.
    ///   - surface: The surface of the messages; nil for all.
    public init(_ inbox: Inbox, surface: String? = nil) {
        value = inbox.latestCounts(surface: surface).unread
        let snapshots = inbox.observe(surface: surface, limit: 0)
        observation.start { [weak self, clock = inbox.store.clock] in
            await RepeatedObservation(clock).follow {
                snapshots
            } show: { [weak self] snapshot in
                guard let self else { return false }
                set(snapshot.counts.unread)
                return true
            } ended: {
                self?.set(0)
            }
        }
    }

    private func set(_ value: Int) {
        if self.value != value { self.value = value }
    }
}
