/// The names of one tree: the known ones, and those that its text added.
///
/// Each name has one id, so that names are compared as integers.
struct NameTable: Sendable {
    private let known = KnownNames.list
    private var added = NameList()

    /// Returns the id of a name, and adds the name if it is new.
    mutating func intern(_ name: UnsafeBufferPointer<UInt8>) -> UInt32 {
        if let index = known.index(of: name) { return UInt32(index) }
        return UInt32(known.count + (added.index(of: name) ?? added.append(name)))
    }

    /// The number of ids that are in use.
    var count: Int { known.count + added.count }

    /// Calls a function with the bytes of a name.
    func withBytes<Result>(of id: UInt32, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let index = Int(id)
        guard index >= known.count else { return known.withBytes(of: index, body) }
        return added.withBytes(of: index - known.count, body)
    }
}
