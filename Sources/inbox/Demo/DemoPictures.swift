import Foundation
import Groundwork

/// The pictures of a demo: the SVG files in the folder `Pictures` next to its messages, or the tool's own. The demo's
/// server serves them.
struct DemoPictures: Sendable {
    /// The SVG texts by file name.
    let sources: [String: String]

    /// Reads the pictures.
    ///
    /// - Parameter messages: The file of messages; nil for the tool's own pictures.
    /// - Throws: ``Failure`` if a picture can't be read.
    init(nextTo messages: String?) throws {
        guard let messages else {
            sources = DemoSamples.pictures
            return
        }
        let folder = URL(fileURLWithPath: messages).deletingLastPathComponent()
            .appendingPathComponent("Pictures", isDirectory: true)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        var sources: [String: String] = [:]
        for name in names where name.hasSuffix(".svg") {
            do {
                sources[name] = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            } catch {
                throw Failure("The picture \(name) in \(folder.path) can't be read: \(error.fileReason).")
            }
        }
        self.sources = sources
    }

    /// The placeholder for the server's address in a demo's messages. The address changes with the port.
    static let placeholder = "{server}"

    /// Returns a message's picture with the server's URLs. Nil if the message has no picture of the demo.
    static func media(of message: JSONObject, on server: URL) -> JSON? {
        guard var media = message["media"]?.objectValue else { return nil }
        var isOwn = false
        for name in ["url", "darkUrl"] {
            guard let address = media[name]?.stringValue, address.hasPrefix(placeholder) else { continue }
            media[name] = .string(server.absoluteString + address.dropFirst(placeholder.count))
            isOwn = true
        }
        return isOwn ? .object(media) : nil
    }
}
