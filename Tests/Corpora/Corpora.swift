package import Foundation

/// Test data that isn't part of the project. It lies beside it, in `shared/corpora`.
package enum Corpora {
    /// The folder of a corpus, or nil where it isn't.
    package static func folder(_ name: String) -> URL? {
        var folder = URL(filePath: #filePath).deletingLastPathComponent()
        while folder.path() != "/" {
            let corpus = folder.appending(path: "shared/corpora/\(name)")
            if FileManager.default.fileExists(atPath: corpus.path()) { return corpus }
            folder = folder.deletingLastPathComponent().standardizedFileURL
        }
        return nil
    }
}
