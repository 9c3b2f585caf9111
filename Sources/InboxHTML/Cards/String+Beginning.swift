extension String {
    /// Returns the text if it has at most that many bytes, else its beginning with an ellipsis, cut between two
    /// characters.
    func beginning(maxLength: Int) -> String {
        guard utf8.count > maxLength else { return self }
        let limit = utf8.index(startIndex, offsetBy: maxLength)
        // The character at the limit may begin before it, and be the first one.
        let end = index(before: index(after: limit))
        return self[..<end] + "…"
    }
}
