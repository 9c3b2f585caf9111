import Foundation
import Groundwork
import Testing

@Suite(.timeLimit(.minutes(5))) struct EmptyFileTests {
    @Test func `a new file is readable by its owner only, an existing file keeps its content`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("empty-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("store")
        #expect(EmptyFile.create(at: file))
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
        #expect(FileFacts(of: file)?.size == 0)
        try Data("written".utf8).write(to: file)
        #expect(EmptyFile.create(at: file))
        #expect(try Data(contentsOf: file) == Data("written".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store"])
        #expect(!EmptyFile.create(at: folder.appendingPathComponent("nowhere/store")))
    }
}
