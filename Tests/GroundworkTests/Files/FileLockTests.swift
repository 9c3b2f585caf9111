import Foundation
import Groundwork
import Testing

@Suite(.timeLimit(.minutes(5))) struct FileLockTests {
    @Test func `one holder has the lock at a time, and deallocation releases it`() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("lock-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appendingPathComponent("lock")
        var first: FileLock? = FileLock(file)
        let second = FileLock(file)
        #expect(first?.acquire() == true)
        #expect(first?.acquire() == true, "it is held already")
        #expect(!second.acquire())
        first = nil
        #expect(second.acquire())
    }
}
