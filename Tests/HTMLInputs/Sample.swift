import Foundation

/// A message in the manner of a newsletter, of Bloomreach's App Inbox or of a mail program. The texts are ours.
package struct Sample: Sendable, CustomStringConvertible {
    package let name: String
    package let html: String

    package var description: String { name }

    /// The samples of `Tests/HTMLCleaningTests/Samples`, in the order of their names.
    package static let all: [Sample] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "HTMLCleaningTests/Samples")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
        return names.filter { $0.hasSuffix(".html") }.sorted().compactMap { name in
            guard let data = try? Data(contentsOf: folder.appending(path: name)) else { return nil }
            return Sample(name: String(name.dropLast(5)), html: String(decoding: data, as: UTF8.self))
        }
    }()
}
