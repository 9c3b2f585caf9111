extension Sequence<UInt8> {
    /// The bytes in hexadecimal, with two lowercase digits each.
    package var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
