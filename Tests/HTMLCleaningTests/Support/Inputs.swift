import Foundation
import HTMLInputs

/// The inputs of tests.
enum Inputs {
    /// The inputs of html5lib-tests, or none where they aren't.
    static let corpus = HTMLCorpus.inputs.map(\.bytes)

    /// Whether the long tests run.
    static let isLong = ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] != nil
}
