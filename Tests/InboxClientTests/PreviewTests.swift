import Eventually
import Foundation
import InboxClient
import InboxTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct PreviewTests {
    @Test func `a preview inbox has sample messages and accepts actions`() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("preview-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let inbox = try await Inbox.preview(directory: directory)
        #expect(try await inbox.messages().count == Message.samples(now: Date()).count)
        #expect(try await inbox.markRead("sample-parcel"))
        #expect(try await eventually { try await inbox.status().pendingWrites == 0 })
        await inbox.close()
    }
}
