/// The names that the parser knows. The id of one is its place in ``text``.
enum KnownNames {
    /// The names by their ids.
    static let list: NameList = {
        var list = NameList()
        for name in text.description.split(separator: " ") {
            _ = Array(name.utf8).withUnsafeBufferPointer { list.append($0) }
        }
        return list
    }()

    /// Returns the id of a name, or nil if it isn't known.
    static func id(of name: [UInt8]) -> UInt32? {
        name.withUnsafeBufferPointer { list.index(of: $0) }.map { UInt32($0) }
    }
}
