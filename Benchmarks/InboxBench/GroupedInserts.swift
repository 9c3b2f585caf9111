import Dispatch
import Foundation
import Groundwork

/// Inserts the rows of messages in C, durably. The messages that arrive while a group is written are the next group.
final class GroupedInserts: Sendable {
    private let queue = DispatchQueue(label: "inserts")
    // Accessed only by the queue.
    private let database: Locked<RawDatabase>
    // The messages of the next group, accessed only in `withLock`.
    private let waiting = Locked<[CheckedContinuation<Void, any Error>]>([])

    init(_ file: URL) throws {
        database = Locked(try RawDatabase(file))
    }

    /// Inserts one message. Returns after its commit.
    func insert() async throws {
        try await withCheckedThrowingContinuation { continuation in
            let isFirst = waiting.withLock { waiting in
                waiting.append(continuation)
                return waiting.count == 1
            }
            if isFirst { queue.async { self.commit() } }
        }
    }

    private func commit() {
        let group = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        let result = Result { try database.withLock { try $0.send(groups: 1, of: group.count) } }
        for continuation in group { continuation.resume(with: result) }
    }
}
