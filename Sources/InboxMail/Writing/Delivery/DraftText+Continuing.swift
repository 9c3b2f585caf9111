extension DraftText {
    /// Whether the text has all that another one has: it is the same, or the person has gone on writing it. Then the
    /// other one isn't kept beside it.
    ///
    /// More may be written at the end of a line, such as above a quotation, and recipients and files may be added. What
    /// a device learns of a file and of the thread meanwhile is no difference.
    func continues(_ other: DraftText) -> Bool {
        func hasAll(_ list: KeyPath<DraftText, [Address]>) -> Bool {
            Set(other[keyPath: list]).isSubset(of: self[keyPath: list])
        }
        guard subject.hasPrefix(other.subject), text.goesOn(from: other.text, endsLine: { $0 == UInt8(ascii: "\n") }),
            // A line ends with its element.
            (html ?? "").goesOn(from: other.html ?? "", endsLine: { $0 == UInt8(ascii: "<") }),
            hasAll(\.to), hasAll(\.cc), hasAll(\.bcc), hasAll(\.replyTo),
            Set(other.files.map(\.attached)).isSubset(of: files.map(\.attached))
        else { return false }
        var rest = other
        (rest.threadID, rest.subject, rest.text, rest.html, rest.files) = (threadID, subject, text, html, files)
        (rest.to, rest.cc, rest.bcc, rest.replyTo) = (to, cc, bcc, replyTo)
        return rest == self
    }
}

extension DraftText.File {
    /// The file as it was attached.
    fileprivate var attached: DraftText.File {
        var file = self
        (file.blobID, file.mailID) = (nil, nil)
        return file
    }
}

extension String {
    /// Whether the string is another one with more at its end, or at the end of a line within it.
    fileprivate func goesOn(from other: String, endsLine: (UInt8) -> Bool) -> Bool {
        let (all, part) = (Array(utf8), Array(other.utf8))
        guard part.count <= all.count else { return false }
        var common = 0
        while common < part.count, all[common] == part[common] { common += 1 }
        guard common < part.count else { return true }
        guard let end = part[...common].lastIndex(where: endsLine) else { return false }
        return all.suffix(part.count - end).elementsEqual(part[end...])
    }
}
