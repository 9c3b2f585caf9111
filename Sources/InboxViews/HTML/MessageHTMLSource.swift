public import HTMLCleaning
public import InboxClient
public import InboxModel

/// The source of a message's cleaned HTML for a ``MessageHTMLModel``.
public struct MessageHTMLSource: Sendable {
    /// The cleaned HTML of a message.
    public struct Content: Sendable {
        /// The cleaned HTML. Its pictures are in `data:` URLs; a view loads no others.
        public var html: CleanHTML
        /// The number of pictures in whose place their text is, and that may be fetched.
        public var missingPictureCount: Int

        /// Creates content.
        public init(html: CleanHTML, missingPictureCount: Int = 0) {
            self.html = html
            self.missingPictureCount = missingPictureCount
        }
    }

    /// Returns the cleaned HTML of a message for a medium, or nil if the message has none. Where the last argument is
    /// true, missing pictures are fetched before; otherwise it returns at once.
    public typealias Cleaning = @Sendable (Message, HTMLMedium, Bool) async throws -> Content?

    let clean: Cleaning

    /// Creates a source.
    ///
    /// - Parameter clean: Cleans a message.
    public init(_ clean: @escaping Cleaning) {
        self.clean = clean
    }

    /// The messages of an inbox with their pictures: first with those that are stored, then with those that
    /// `Inbox.html(of:medium:fetchesPictures:)` fetches. Close buttons are removed: an inbox's own screen has one.
    public static func pictures(of inbox: Inbox) -> MessageHTMLSource {
        MessageHTMLSource { message, medium, fetches in
            try await inbox.html(of: message.id, medium: medium, fetchesPictures: fetches).map { found in
                Content(html: found.html, missingPictureCount: found.missingPictureCount)
            }
        }
    }

    /// The message's own HTML, with the text of each picture in its place.
    ///
    /// - Parameter closeButtons: The handling of the message's close buttons. By default they are removed.
    public static func withoutPictures(
        closeButtons: HTMLCleaner.Options.CloseButtons = .removed
    ) -> MessageHTMLSource {
        MessageHTMLSource { message, medium, _ in
            guard let html = message.html, !html.isEmpty else { return nil }
            let options = HTMLCleaner.Options(
                linkSchemes: nil,
                readsActions: true,
                closeButtons: closeButtons,
                medium: medium
            )
            return Content(html: HTMLCleaner(options).clean(html, pictures: { _ in .placeholder }))
        }
    }
}
