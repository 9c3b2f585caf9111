package import Foundation

/// Test data of other projects, in `shared/corpora` of this folder or one above it. CONTRIBUTING.md says where it comes
/// from.
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
