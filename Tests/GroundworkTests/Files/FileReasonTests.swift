import Foundation
import Groundwork
import Testing

/// The system's words for errors of files.
@Suite(.timeLimit(.minutes(5))) struct FileReasonTests {
    private func reason(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return error.fileReason
        }
    }

    @Test func `an error of Foundation has the system's words`() {
        let folder = FileManager.default.temporaryDirectory
        let missing = folder.appending(path: "missing-\(UUID())")
        #expect(reason { _ = try Data(contentsOf: folder) } == "Is a directory")
        #expect(reason { _ = try FileHandle(forReadingFrom: folder).readToEnd() } == "Is a directory")
        #expect(reason { _ = try FileHandle(forReadingFrom: missing) } == "No such file or directory")
        #expect(reason { try FileManager.default.removeItem(at: missing) } == "No such file or directory")
        #expect(reason { throw POSIXError(.ENOSPC) } == "No space left on device")
    }

    @Test func `an error without them has its own, without a period`() {
        struct Unknown: LocalizedError {
            let errorDescription: String?
        }
        #expect(reason { throw Unknown(errorDescription: "It is broken.") } == "It is broken")
        #expect(reason { throw Unknown(errorDescription: "It is broken") } == "It is broken")
    }
}
