import Foundation

extension JSONEncoder {
    /// Writes drafts as they are stored: the same bytes for the same value.
    static let stored: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
}
