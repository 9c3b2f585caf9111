import Foundation
import Testing

/// The inputs of html5lib-tests, which aren't part of the project. They lie beside it, in `shared/corpora`.
enum Inputs {
    /// The inputs of tree construction, or none where the folder isn't.
    static let corpus: [[UInt8]] = {
        var folder = URL(filePath: #filePath).deletingLastPathComponent()
        while folder.path() != "/" {
            let corpus = folder.appending(path: "shared/corpora/html5lib-tests/tree-construction")
            if let names = try? FileManager.default.subpathsOfDirectory(atPath: corpus.path()) {
                return names.filter { $0.hasSuffix(".dat") }.sorted().flatMap { name in
                    inputs(in: (try? Data(contentsOf: corpus.appending(path: name))) ?? Data())
                }
            }
            folder = folder.deletingLastPathComponent().standardizedFileURL
        }
        return []
    }()

    private static func inputs(in data: Data) -> [[UInt8]] {
        let text = "\n" + String(decoding: data, as: UTF8.self)
        return text.components(separatedBy: "\n#data\n").dropFirst().map { part in
            Array((part.components(separatedBy: "\n#errors").first ?? "").utf8)
        }
    }

    /// Whether the long tests run.
    static let isLong = ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] != nil
}

/// A generator of the same numbers each time.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
