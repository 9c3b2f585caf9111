public import HTMLCleaning

/// A mail's HTML, cleaned for a web view.
public struct CleanMail: Sendable {
    /// The cleaned HTML, with its links and pictures as data, and the number of tracking pixels that were removed.
    public let html: CleanHTML
    /// The document for a web view without JavaScript.
    public let document: HTMLDocument
    /// The number of pictures on the web that the person hasn't allowed. An app offers to load them
    /// (``Mail/allowRemotePictures(_:)``).
    public let blockedPictureCount: Int
    /// The number of pictures on the web that the person has allowed and that aren't on this device.
    public let missingRemotePictureCount: Int
    /// The pictures of the mail that the HTML shows, but whose bytes are missing, unreadable or too large.
    public let missingPictures: [MailFile]
}

extension MailBody {
    /// Returns the mail's HTML for a screen: cleaned, with the mail's own pictures in it, and without tracking pixels.
    ///
    /// Nothing in it runs. It loads nothing but pictures, and these only where `pictures` allows it.
    ///
    /// - Parameters:
    ///   - title: The title, which screen readers announce, such as the subject.
    ///   - language: The language of the mail as a BCP 47 tag, or nil if it isn't known.
    ///   - pictures: The pictures that it is shown with. By default none.
    ///   - medium: The view that the mail's style sheets are applied for.
    /// - Returns: Nil if the mail has no HTML.
    public func cleaned(
        title: String,
        language: String? = nil,
        pictures: MailPictures = MailPictures(),
        medium: HTMLMedium = HTMLMedium()
    ) -> CleanMail? {
        guard let html else { return nil }
        var decisions = PictureDecisions(pictures, of: self)
        let cleaned = HTMLCleaner(Self.options(medium)).clean(html, pictures: { decisions.decision($0) })
        return CleanMail(
            html: cleaned,
            document: HTMLDocument(cleaned, title: title, language: language),
            blockedPictureCount: decisions.blockedCount,
            missingRemotePictureCount: decisions.missingRemoteCount,
            missingPictures: decisions.missing
        )
    }

    /// Returns the parts of the mail's HTML, so that a screen can fold quotations and the signature: cleaned as
    /// ``cleaned(title:language:pictures:medium:)`` does. ``parts`` are those of the text.
    ///
    /// - Parameters:
    ///   - pictures: The pictures that they are shown with. By default none.
    ///   - medium: The view that the mail's style sheets are applied for.
    /// - Returns: The parts in order; empty if the mail has no HTML.
    public func htmlParts(
        pictures: MailPictures = MailPictures(),
        medium: HTMLMedium = HTMLMedium()
    ) -> [MailHTML.Part] {
        guard let html else { return [] }
        var decisions = PictureDecisions(pictures, of: self)
        return MailHTML.parts(of: html, options: Self.options(medium), pictures: { decisions.decision($0) })
    }

    /// The files that the HTML shows, each once and in order.
    package var shownFiles: [MailFile] {
        guard let html, !filesByContentID.isEmpty else { return [] }
        var decisions = PictureDecisions(MailPictures(), of: self)
        _ = HTMLCleaner(Self.options(nil)).clean(html, pictures: { decisions.decision($0) })
        return decisions.missing
    }

    /// Returns the addresses of the pictures on the web that the HTML shows in a medium, each once and in order.
    func remoteAddresses(_ medium: HTMLMedium) -> [String] {
        guard let html else { return [] }
        var decisions = PictureDecisions(MailPictures(), of: self)
        _ = HTMLCleaner(Self.options(medium)).clean(html, pictures: { decisions.decision($0) })
        return decisions.remoteAddresses
    }

    /// The mail's files by their content ids in the form in which two are compared.
    var filesByContentID: [String: MailFile] {
        var files: [String: MailFile] = [:]
        for file in inlineFiles + attachments {
            guard let id = file.contentID.map({ Self.plainContentID($0[...]) }), files[id] == nil else { continue }
            files[id] = file
        }
        return files
    }

    private static func options(_ medium: HTMLMedium?) -> HTMLCleaner.Options {
        // Pictures in the HTML itself load nothing.
        HTMLCleaner.Options(allowsDataPictures: true, medium: medium)
    }
}
