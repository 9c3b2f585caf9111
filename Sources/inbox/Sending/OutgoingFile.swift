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

extension OutgoingItem {
    /// - Parameter prefix: The prefix of the idempotency key. The rest is derived from the position and the content, so
    ///   that the same item has the same key.
    init(position: Int, request: JSON, prefix: String) {
        let digest = SHA256.hash(data: request.data).prefix(16).hexadecimal
        self.init(position: position, request: request, idempotencyKey: "\(prefix)-\(position)-\(digest)")
    }
}

/// A file of messages: one object, an array, or one object per line.
struct OutgoingFile {
    /// The path, or `-` for standard input.
    let path: String

    /// An invalid item.
    struct InvalidItem: Sendable {
        let position: Int
        let problem: String
    }

    /// Reads the file.
    ///
    /// - Throws: ``Failure`` if the file can't be read or contains no messages.
    func items(prefix: String) throws -> ([OutgoingItem], [InvalidItem]) {
        let bytes = try read()
        let parts = try parts(bytes)
        guard !parts.isEmpty else { throw Failure("\(name) contains no messages.") }
        var items: [OutgoingItem] = []
        var invalidItems: [InvalidItem] = []
        for (index, part) in parts.enumerated() {
            switch part {
            case .success(let json) where json.objectValue != nil:
                items.append(OutgoingItem(position: index + 1, request: json, prefix: prefix))
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
            if path == "-" { return [UInt8](try FileHandle.standardInput.readToEnd() ?? Data()) }
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            let reason =
                FileManager.default.fileExists(atPath: path) ? error.localizedDescription : "the file doesn't exist"
            throw Failure("\(name) can't be read: \(reason).")
        }
    }

    private func parts(_ bytes: [UInt8]) throws -> [Result<JSON, JSONSyntaxError>] {
        do {
            let whole = try JSON(parsing: bytes)
            return (whole.arrayValue ?? [whole]).map { .success($0) }
        } catch {
            let lines = bytes.split(separator: UInt8(ascii: "\n")).filter { line in
                line.contains { !Self.whiteSpace.contains($0) }
            }
            // A malformed array isn't a list of lines: the first line has to be valid by itself.
            guard lines.count > 1, let first = lines.first, (try? JSON(parsing: first)) != nil else {
                throw Failure("\(name) isn't JSON: \(error.description).")
            }
            return lines.map { line in
                Result { () throws(JSONSyntaxError) in try JSON(parsing: line) }
            }
        }
    }

    private static let whiteSpace: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
}
