extension String {
    /// The same with plain spaces for those that don't break, which differ between versions of the system's tables.
    var plainSpaces: String {
        String(map { $0 == "\u{A0}" || $0 == "\u{202F}" ? " " : $0 })
    }
}
