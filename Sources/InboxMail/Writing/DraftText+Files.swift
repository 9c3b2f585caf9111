import MailComposing

extension DraftText {
    /// Adds files of a mail on the server. Each has an id of its own, also those with the same bytes.
    ///
    /// - Parameter isShown: Whether a file is a picture that the draft's HTML shows. Others are attachments.
    mutating func add(
        _ files: [MailFile],
        ofMail mailID: String,
        isShown: (MailFile) -> Bool = { $0.isInline }
    ) {
        // A hostile mail has many files, also with the same bytes.
        var used = Set(self.files.map(\.id))
        var numbers: [String: Int] = [:]
        for file in files {
            var (id, number) = (file.blobID, numbers[file.blobID] ?? 2)
            while !used.insert(id).inserted {
                id = "\(file.blobID)-\(number)"
                number += 1
            }
            numbers[file.blobID] = number
            self.files.append(
                File(
                    id: id,
                    name: MediaType.fileName(of: file),
                    type: file.type,
                    size: file.size,
                    contentID: isShown(file) ? file.contentID : nil,
                    blobID: file.blobID,
                    isOnDevice: false,
                    mailID: mailID,
                    charset: file.charset
                )
            )
        }
    }

    /// Takes the blobs of a version for those files that it has, too. A version has names and types as they are sent,
    /// such as a mail without its type.
    ///
    /// - Parameters:
    ///   - version: The files of the version.
    ///   - mailID: The version's id.
    ///   - isWanted: Whether a file is searched for.
    /// - Returns: Whether all of these were found.
    @discardableResult
    mutating func takeBlobs(of version: [MailFile], _ mailID: String, where isWanted: (File) -> Bool) -> Bool {
        var rest = version
        var areFound = true
        for index in files.indices where isWanted(files[index]) {
            let file = files[index]
            let sent = ComposedMail.Attachment(blobID: "", name: file.name, type: file.type, size: file.size)
            let (names, types) = ([file.name, sent.plainName], [file.type.lowercased(), sent.plainType])
            let same =
                rest.firstIndex {
                    $0.size == file.size && names.contains($0.name) && $0.contentID == file.contentID
                }
                ?? rest.firstIndex { $0.size == file.size && names.contains($0.name) }
                ?? rest.firstIndex { $0.size == file.size && types.contains($0.type) }
            guard let same else {
                areFound = false
                continue
            }
            (files[index].blobID, files[index].mailID) = (rest.remove(at: same).blobID, mailID)
        }
        return areFound
    }
}

extension DraftDocument {
    /// Returns a window's text with the blobs that its files have received since the window read them.
    func current(_ text: DraftText) -> DraftText {
        var text = text
        let known = ([self.text] + replacedTexts.reversed().map(\.text)).flatMap(\.files)
        for index in text.files.indices {
            guard let stored = known.first(where: { $0.id == text.files[index].id }) else { continue }
            (text.files[index].blobID, text.files[index].mailID) = (stored.blobID, stored.mailID)
        }
        return text
    }
}
