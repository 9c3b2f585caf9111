import Foundation
import HTMLCleaning
import Testing

/// A message in the manner of a newsletter, of Bloomreach's App Inbox or of a mail program. The texts are ours.
struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let html: String

    var testDescription: String { name }

    /// The samples of the folder `Samples`, in the order of their names.
    static let all: [Sample] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Samples")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
        return names.filter { $0.hasSuffix(".html") }.sorted().compactMap { name in
            guard let data = try? Data(contentsOf: folder.appending(path: name)) else { return nil }
            return Sample(name: String(name.dropLast(5)), html: String(decoding: data, as: UTF8.self))
        }
    }()

    /// A cleaner that keeps what the samples have of their apps: schemes, actions and close buttons.
    static func cleaner(_ medium: HTMLMedium = HTMLMedium()) -> HTMLCleaner {
        HTMLCleaner(
            .init(
                linkSchemes: ["http", "https", "mailto", "tel", "shopapp", "stepsapp"],
                readsActions: true,
                closeButtons: .linked(to: "shopapp://close", addsDefault: false),
                medium: medium
            )
        )
    }
}
