import Foundation
import Groundwork
import Testing

/// Small files that only their owner can read.
@Suite(.timeLimit(.minutes(5))) struct PrivateFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "private-\(UUID())")

    private func mode(_ file: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }

    @Test func `the file and its new folder are readable by their owner only`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "new/secret.json")
        try PrivateFile.write(Array("first".utf8), to: file)
        #expect(try mode(file) == 0o600 && mode(file.deletingLastPathComponent()) == 0o700)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        try PrivateFile.write(Array("second".utf8), to: file)
        #expect(try mode(file) == 0o600)
        #expect(try String(contentsOf: file, encoding: .utf8) == "second")
    }

    @Test func `a file that can't be replaced throws, and what was there stays`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // A folder with contents can't be replaced by a file.
        let file = folder.appending(path: "taken")
        try PrivateFile.write([1], to: file.appending(path: "kept"))
        #expect(throws: POSIXError.self) { try PrivateFile.write([2], to: file) }
        #expect(throws: (any Error).self) { try PrivateFile.write([2], to: file.appending(path: "kept/below")) }
        #expect(try Array(Data(contentsOf: file.appending(path: "kept"))) == [1])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["taken"])
    }

    @Test func `of many writers at once, one has written the whole file`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "shared")
        await withTaskGroup(of: Void.self) { group in
            for number in UInt8(1)...20 {
                group.addTask {
                    #expect(throws: Never.self) {
                        try PrivateFile.write([UInt8](repeating: number, count: 50_000), to: file)
                    }
                }
            }
        }
        let bytes = try Array(Data(contentsOf: file))
        #expect(bytes.count == 50_000 && Set(bytes).count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["shared"])
    }

    @Test func `old temporary files of the same name are removed, other files aren't`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "secret")
        try PrivateFile.write([1], to: file)
        let (old, recent) = (folder.appending(path: "secret.A.new"), folder.appending(path: "secret.B.new"))
        for left in [old, recent, folder.appending(path: "another.new")] { try Data([9]).write(to: left) }
        let earlier = Date(timeIntervalSinceNow: -7_200)
        try FileManager.default.setAttributes([.modificationDate: earlier], ofItemAtPath: old.path)
        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }

        // The recent one may belong to a process that is writing.
        try PrivateFile.write([2], to: file)
        #expect(try names() == ["another.new", "secret", "secret.B.new"])
        try PrivateFile.remove(file)
        #expect(try names() == ["another.new"])
        try PrivateFile.remove(file)
    }
}
