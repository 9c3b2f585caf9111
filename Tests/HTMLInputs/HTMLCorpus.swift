import Corpora
package import Foundation

/// The html5lib-tests, which are a project of their own (``Corpora``).
package enum HTMLCorpus {
    /// The folder, or nil where it isn't.
    package static let folder = Corpora.folder("html5lib-tests")

    package static var isPresent: Bool { folder != nil }

    /// The files of a folder and its subfolders by their names within it, in their order.
    package static func files(in name: String, ending suffix: String) throws -> [(name: String, data: Data)] {
        guard let folder = folder?.appending(path: name) else { return [] }
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path())
            .filter { $0.hasSuffix(suffix) }
            .sorted()
            .map { ($0, try Data(contentsOf: folder.appending(path: $0))) }
    }

    /// The inputs of tree construction by the names of their files and their numbers, or none where the folder isn't.
    package static let inputs: [(name: String, bytes: [UInt8])] = {
        let all = (try? files(in: "tree-construction", ending: ".dat")) ?? []
        return all.flatMap { name, data in
            let text = "\n" + String(decoding: data, as: UTF8.self)
            return text.components(separatedBy: "\n#data\n").dropFirst().enumerated().map { index, part in
                ("\(name) \(index + 1)", Array((part.components(separatedBy: "\n#errors").first ?? "").utf8))
            }
        }
    }()
}
