extension String {
    /// The string with plain spaces instead of non-breaking ones, which differ between versions of the system's tables.
    var plainSpaces: String {
        String(map { $0 == "\u{A0}" || $0 == "\u{202F}" ? " " : $0 })
    }
}
