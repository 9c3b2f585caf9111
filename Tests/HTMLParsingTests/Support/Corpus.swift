import Foundation

/// The html5lib-tests, which aren't part of the project. They lie beside it, in `shared/corpora`.
enum Corpus {
    /// The folder, or nil where it isn't.
    static let folder: URL? = {
        var folder = URL(filePath: #filePath).deletingLastPathComponent()
        while folder.path() != "/" {
            let corpus = folder.appending(path: "shared/corpora/html5lib-tests")
            if FileManager.default.fileExists(atPath: corpus.path()) { return corpus }
            folder = folder.deletingLastPathComponent().standardizedFileURL
        }
        return nil
    }()

    static var isPresent: Bool { folder != nil }

    /// The files of a folder and its subfolders by their names within it, in their order.
    static func files(in name: String, ending suffix: String) throws -> [(name: String, data: Data)] {
        guard let folder = folder?.appending(path: name) else { return [] }
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path())
            .filter { $0.hasSuffix(suffix) }
            .sorted()
            .map { ($0, try Data(contentsOf: folder.appending(path: $0))) }
    }
}
