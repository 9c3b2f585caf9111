import HTMLCleaning

extension MailDraft {
    /// The pictures that the HTML shows, in order. Other files with a content id are attachments.
    package var shownPictures: [DraftAttachment] {
        guard let html, attachments.contains(where: \.isInline) else { return [] }
        let cleaned = HTMLCleaner(HTMLCleaner.Options(allowsDataPictures: true)).clean(html)
        let shown = Set(cleaned.pictures.compactMap { MailBody.contentID(in: $0.url) })
        return attachments.filter { file in
            file.contentID.map { shown.contains(MailBody.plainContentID($0[...])) } ?? false
        }
    }
}
