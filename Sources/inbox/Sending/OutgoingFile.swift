import Crypto
import Foundation
import Groundwork

/// A message to be sent.
struct OutgoingItem: Sendable {
    /// The position in the file, from 1.
    let position: Int
    /// The object with `to` and `message`.
    let request: JSON
    let idempotencyKey: String
}

/// A file of messages: one object, an array, or one object per line.
struct OutgoingFile {
    /// The path, or `-` for standard input.
    let path: String
    /// The content of a file that isn't read, since the tool has it.
    var content: [UInt8]?

    /// An invalid item.
    struct InvalidItem: Sendable {
        let position: Int
        let problem: String
    }

    /// The prefix of the idempotency keys of a file for which the sender gives none.
    ///
    /// It is derived from the path, so that a message is sent although another file had an equal one. Standard input
    /// has no path: whatever is read from it counts as one file.
    var defaultPrefix: String {
        guard path != "-" else { return "inbox-send" }
        let file = URL(fileURLWithPath: path).standardizedFileURL.path
        return "inbox-send-\(SHA256.hash(data: Data(file.utf8)).prefix(8).hexadecimal)"
    }

    /// Reads the file.
    ///
    /// The idempotency key of a message is derived from its content, and from the number of equal messages before it:
    /// its position doesn't matter, so that messages can be removed, inserted and sorted between two attempts.
    ///
    /// - Parameter prefix: The prefix of the idempotency keys.
    /// - Throws: ``Failure`` if the file can't be read or contains no messages.
    func items(prefix: String) throws -> ([OutgoingItem], [InvalidItem]) {
        let bytes = try content ?? read()
        let parts = try parts(bytes)
        guard !parts.isEmpty else { throw Failure("\(name) contains no messages.") }
        var items: [OutgoingItem] = []
        var invalidItems: [InvalidItem] = []
        var counts: [String: Int] = [:]
        for (index, part) in parts.enumerated() {
            switch part {
            case .success(let json) where json.objectValue != nil:
                let digest = SHA256.hash(data: json.data).prefix(16).hexadecimal
                let count = counts[digest, default: 0] + 1
                counts[digest] = count
                items.append(
                    OutgoingItem(
                        position: index + 1,
                        request: json,
                        idempotencyKey: "\(prefix)-\(digest)-\(count)"
                    )
                )
            case .success:
                invalidItems.append(
                    InvalidItem(position: index + 1, problem: "has to be an object with to and message")
                )
            case .failure(let error):
                invalidItems.append(InvalidItem(position: index + 1, problem: "isn't JSON: \(error.description)"))
            }
        }
        return (items, invalidItems)
    }

    private var name: String { path == "-" ? "Standard input" : path }

    private func read() throws -> [UInt8] {
        do {
            let data =
                try path == "-"
                ? FileHandle.standardInput.readToEnd() ?? Data() : Data(contentsOf: URL(fileURLWithPath: path))
            return [UInt8](data.withoutByteOrderMark)
        } catch {
            let exists = path == "-" || FileManager.default.fileExists(atPath: path)
            throw Failure("\(name) can't be read: \(exists ? error.fileReason : "the file doesn't exist").")
        }
    }

    private func parts(_ bytes: [UInt8]) throws -> [Result<JSON, JSONSyntaxError>] {
        do {
            let whole = try JSON(parsing: bytes)
            return (whole.arrayValue ?? [whole]).map { .success($0) }
        } catch {
            let lines = bytes.split(separator: UInt8(ascii: "\n")).filter { Self.firstCharacter(of: $0) != nil }
            let results: [Result<JSON, JSONSyntaxError>] = lines.map { line in
                Result { () throws(JSONSyntaxError) in try JSON(parsing: line) }
            }
            guard Self.isList(lines, results) else { throw Failure("\(name) isn't JSON: \(error.description).") }
            return results
        }
    }

    /// Whether lines are meant as one message each, rather than as the lines of one object or array.
    private static func isList(_ lines: [ArraySlice<UInt8>], _ results: [Result<JSON, JSONSyntaxError>]) -> Bool {
        guard lines.count > 1, lines.first.flatMap(firstCharacter) != UInt8(ascii: "[") else { return false }
        let hasMessage = results.contains { result in
            guard case .success(let json) = result else { return false }
            return json["to"] != nil || json["message"] != nil
        }
        return hasMessage || lines.allSatisfy { firstCharacter(of: $0) == UInt8(ascii: "{") }
    }

    /// Returns the first byte that isn't white space, or nil for an empty line.
    private static func firstCharacter(of line: ArraySlice<UInt8>) -> UInt8? {
        line.first { !whiteSpace.contains($0) }
    }

    private static let whiteSpace: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
}
