extension Collection<UInt8> {
    /// The bytes without the byte order mark of UTF-8 at their beginning, which some editors and spreadsheets write.
    package var withoutByteOrderMark: SubSequence {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return starts(with: mark) ? dropFirst(mark.count) : dropFirst(0)
    }
}
