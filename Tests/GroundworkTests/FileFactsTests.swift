import Foundation
import Groundwork
import Testing

@Suite(.timeLimit(.minutes(5))) struct FileFactsTests {
    @Test func `file facts distinguish files, folders and missing files`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("facts-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("ä b.txt")
        #expect(FileFacts(of: file) == nil)
        try Data(repeating: 7, count: 4_097).write(to: file)
        #expect(FileFacts(of: file)?.size == 4_097)
        #expect(FileFacts(of: file)?.isDirectory == false)
        #expect(FileFacts(of: folder)?.isDirectory == true)
    }
}
