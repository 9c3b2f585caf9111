import Foundation
import GRDB
import Groundwork
import ReplicaTesting
import Testing

@testable import Replica

/// Records written by another process fall due, too.
@Suite(.timeLimit(.minutes(5))) struct DueElsewhereTests {
    @Test func `a record of another process falls due in a read without a notification`() async throws {
        let notes = try TemporaryStore()
        try await notes.pull(note("a"))
        let other = try ReplicaStore(at: notes.store.location, types: [.note], clock: notes.clock)
        let soon = RFC3339.string(from: notes.clock.now.addingTimeInterval(60))
        try await other.write { writer in
            let hidden = note("b", ["hiddenUntil": .string(soon)])
            try writer.apply(.note, [JSONText(checking: hidden.utf8)])
        }
        #expect(try await notes.ids("phase = 0") == ["a"])
        notes.clock.advance(by: 61)
        #expect(try await notes.ids("phase = 0") == ["a", "b"])
        await other.close()
    }
}
