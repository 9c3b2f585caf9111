import Foundation
import Groundwork

/// The pictures of a demo: the SVG files in the folder `Pictures` beside its messages. Its server serves them.
struct DemoPictures: Sendable {
    /// By file name.
    let sources: [String: String]

    /// Reads them.
    ///
    /// - Throws: ``Failure`` where one can't be read.
    init(beside messages: String) throws {
        let folder = URL(fileURLWithPath: messages).deletingLastPathComponent()
            .appendingPathComponent("Pictures", isDirectory: true)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        var sources: [String: String] = [:]
        for name in names where name.hasSuffix(".svg") {
            do {
                sources[name] = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            } catch {
                throw Failure("The picture \(name) in \(folder.path) can't be read: \(error.localizedDescription).")
            }
        }
        self.sources = sources
    }

    /// What an address in a demo's messages has in place of the server's own, which changes with the port.
    static let placeholder = "{server}"

    /// A message's picture as its server serves it; nil for a message that has none of the server's.
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
