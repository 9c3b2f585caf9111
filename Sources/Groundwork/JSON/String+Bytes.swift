extension String {
    /// Whether both are the same bytes of UTF-8. To `==`, two spellings of one character are equal.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let areSame = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { bytes.elementsEqual($0) }
        }
        return (areSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
