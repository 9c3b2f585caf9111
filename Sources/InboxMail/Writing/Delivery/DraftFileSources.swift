/// The mails on the server that have a draft's files, when some of these mails are about to be destroyed.
///
/// A file that isn't on this device has the blob of a mail, which may end with that mail (RFC 8620, section 6). Before
/// mails are destroyed, it gets the blob of a mail that stays:
///
/// 1. A file of the draft's own text whose mail is gone, such as a held one that another client has removed, gets the
///    blob of one of the mails to destroy. This is only if no saved version of the text is left.
/// 2. A file of one of the mails to destroy gets the blob of the mail that has the text's files, if that one stays.
/// 3. Of the mails to destroy, those stay that still have a file of a text that the server doesn't have otherwise:
///    another window's, or the draft's own as above.
///
/// A value without I/O: it names the mails to read, and applies what they have.
struct DraftFileSources: Sendable {
    /// The mails that are about to be destroyed.
    private let mails: [String]
    /// The mails of the files of the draft's own text. Of those that are gone, the files are looked for in ``mails``.
    private let sources: [String]
    /// The mail that has the text's files, and stays; nil for none.
    private let version: String?

    /// - Returns: Nil if no file depends on the mails.
    init?(of document: DraftDocument, destroying mails: [String]) {
        self.mails = mails
        let files = document.lacksVersion(without: mails) ? document.text.files.filter { !$0.isOnDevice } : []
        sources = Set(files.compactMap(\.mailID)).filter { mails != [$0] }.sorted()
        version = document.job.mailOfFiles.flatMap { mails.contains($0) ? nil : $0 }
        guard !sources.isEmpty || document.files.contains(where: { $0.mayEnd(with: mails) }) else { return nil }
    }

    /// The ids of the mails whose files have to be read, each once.
    var mailsToRead: [String] {
        DraftJob.distinct(sources + (sources.isEmpty ? [] : mails) + (version.map { [$0] } ?? []))
    }

    /// Gives the files of a draft the blobs of mails that stay, and keeps the mails that have to stay for others.
    ///
    /// - Parameters:
    ///   - found: The files of ``mailsToRead``, by the mails' ids, without the mails that are gone.
    ///   - document: The draft as it is stored now. Its texts may have changed since the mails were read.
    /// - Returns: Those of the mails to destroy that stay until the next version.
    func apply(_ found: [String: [MailFile]], to document: inout DraftDocument) -> [String] {
        for source in sources where found[source] == nil {
            for mail in mails {
                document.text.takeBlobs(of: found[mail] ?? [], mail) { $0.mailID == source && !$0.isOnDevice }
            }
        }
        if let version, let files = found[version] {
            document.text.takeBlobs(of: files, version) { $0.mayEnd(with: mails) }
            for index in document.replacedTexts.indices {
                document.replacedTexts[index].text.takeBlobs(of: files, version) { $0.mayEnd(with: mails) }
            }
        }
        guard !document.job.isDiscarded else { return [] }
        var texts = document.replacedTexts.map(\.text)
        if document.lacksVersion(without: mails) { texts.append(document.text) }
        let needed = texts.flatMap(\.files).filter { $0.mayEnd(with: mails) }.compactMap(\.mailID)
        let staying = mails.filter(needed.contains)
        document.job.keep(staying)
        return staying
    }
}

extension DraftDocument {
    /// Whether the server is left without a saved version of the draft's own text once some mails are destroyed, and
    /// the text is still needed.
    fileprivate func lacksVersion(without mails: [String]) -> Bool {
        if job.isDiscarded { return false }
        if job.isSent { return false }
        return job.saved.map { mails.contains($0.emailID) } ?? !mails.isEmpty
    }
}

extension DraftJob {
    /// The mail on the server that has the files of the text, or most of them: the saved version, or the mail that the
    /// server holds, held and didn't send, or may have sent; nil for none.
    fileprivate var mailOfFiles: String? {
        saved?.emailID ?? hold?.emailID ?? included.last { (unsubmitted ?? []).contains($0) } ?? reportedMails?.last
    }
}

extension DraftText.File {
    /// Whether the blob of a file of another mail may end with one of these mails.
    fileprivate func mayEnd(with mails: [String]) -> Bool {
        guard blobID != nil, !isOnDevice else { return false }
        return mailID.map(mails.contains) ?? true
    }
}
