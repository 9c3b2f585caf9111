import Foundation
import Groundwork
import Testing

@testable import inbox

/// The messages of a file for `inbox send`, and their idempotency keys.
@Suite(.timeLimit(.minutes(5))) struct OutgoingFileTests {
    private struct Reading {
        let items: [OutgoingItem]
        let invalidItems: [OutgoingFile.InvalidItem]

        /// The keys by title. Equal messages have several.
        var keys: [String: [String]] {
            Dictionary(
                items.map { ($0.request["message"]?["title"]?.stringValue ?? "", [$0.idempotencyKey]) },
                uniquingKeysWith: { $0 + $1 }
            )
        }
    }

    /// Reads a file with the given bytes.
    private func read(_ bytes: [UInt8]) throws -> Reading {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sending-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("messages.json")
        try Data(bytes).write(to: url)
        let (items, invalidItems) = try OutgoingFile(path: url.path).items(prefix: "p")
        return Reading(items: items, invalidItems: invalidItems)
    }

    private func line(_ title: String) -> String {
        #"{"to": {"person": "alice"}, "message": {"title": "\#(title)"}}"#
    }

    private func read(_ lines: [String]) throws -> Reading { try read(Array(lines.joined(separator: "\n").utf8)) }

    @Test func `a message keeps its key where lines around it are removed, added or sorted`() throws {
        let first = try read([line("a"), line("b"), line("c")]).keys
        #expect(Set(first.values.flatMap { $0 }).count == 3)
        #expect(try read([line("b"), line("c")]).keys == first.filter { $0.key != "a" })
        let changed = try read([line("new"), line("c"), "damaged", line("b"), line("a")]).keys
        #expect(changed.filter { $0.key != "new" } == first)
        #expect(try read(Array("[\(line("c")), \(line("a"))]".utf8)).keys == first.filter { $0.key != "b" })
    }

    @Test func `a folder or a missing file is named with the reason`() throws {
        let folder = FileManager.default.temporaryDirectory.path
        let missing = folder + "/nonesuch-\(UUID())"
        for (path, reason) in [(folder, "Is a directory."), (missing, "the file doesn't exist.")] {
            let error = #expect(throws: Failure.self) { try OutgoingFile(path: path).items(prefix: "p") }
            #expect(error?.description == "\(path) can't be read: \(reason)")
        }
    }

    @Test func `equal messages of a file have keys of their own`() throws {
        let two = try read([line("a"), line("b"), line("a")])
        #expect(Set(two.items.map(\.idempotencyKey)).count == 3)
        #expect(try read([line("a"), line("a"), line("b")]).keys == two.keys)
        #expect(try read([line("a")]).keys["a"] == two.keys["a"].map { Array($0.prefix(1)) })
    }

    @Test func `files with different paths have different prefixes, and each path has one`() {
        func prefix(_ path: String) -> String { OutgoingFile(path: path).defaultPrefix }
        let folder = FileManager.default.currentDirectoryPath
        #expect(prefix("messages.json") == prefix("./messages.json"))
        #expect(prefix("messages.json") == prefix("\(folder)/messages.json"))
        #expect(Set(["-", "messages.json", "other.json", "/messages.json"].map(prefix)).count == 4)
        // A header can have it.
        #expect(prefix("Grüße aus Wien.json").utf8.allSatisfy { (0x21...0x7E).contains($0) })
    }

    @Test func `a byte order mark before an object, an array or lines is skipped`() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        for text in [line("a"), "[\(line("a"))]", "\(line("a"))\n\(line("b"))\n"] {
            let plain = try read(Array(text.utf8))
            let marked = try read(mark + Array(text.utf8))
            #expect(!plain.items.isEmpty && marked.keys == plain.keys && marked.invalidItems.isEmpty)
        }
    }

    @Test(arguments: ["damaged", #"{"to": {"person": "alice"}, "message": {"title": "One"}"#, "\u{FEFF}1"])
    func `an invalid first line is reported like any other`(bad: String) throws {
        for lines in [[bad, line("a"), line("b")], [line("a"), bad, line("b")]] {
            let reading = try read(["", lines[0], "  ", lines[1], lines[2], ""])
            #expect(reading.items.count == 2)
            #expect(reading.invalidItems.map { lines[$0.position - 1] } == [bad])
            #expect(reading.invalidItems.allSatisfy { $0.problem.contains("isn't JSON") })
        }
    }

    @Test func `lines that are all invalid objects are reported one by one`() throws {
        let reading = try read(["{\"to\": 1,", "{\"to\": 2,"])
        #expect(reading.items.isEmpty && reading.invalidItems.map(\.position) == [1, 2])
    }

    @Test(arguments: [
        "[\n{\"to\": {\"person\": \"alice\"}, \"message\": {\"title\": 1}},\n{\"to\": 2}\n",
        "{\n  \"to\": {\"person\": \"alice\"},\n  \"message\": {\"actions\": [\n    {\"text\": \"Open\"}\n  ]}\n",
        "{\"to\": 1", "",
    ])
    func `an object or array with a mistake is refused as a whole`(text: String) throws {
        let failure = #expect(throws: Failure.self) { try read(Array(text.utf8)) }
        #expect(failure?.description.contains("isn't JSON") == true, "\(String(describing: failure))")
    }
}
