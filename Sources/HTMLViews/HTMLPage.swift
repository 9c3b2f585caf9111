public import HTMLCleaning

/// A cleaned document for a web view, with the meaning of its links.
public struct HTMLPage: Hashable, Sendable {
    /// The document.
    public let document: HTMLDocument
    /// The title, which is the view's accessibility label.
    public let title: String
    /// The number of tracking pixels that were removed from it.
    public let trackingPixelCount: Int
    private let links: HTMLLinks

    /// Creates the page of a cleaned document.
    ///
    /// - Parameters:
    ///   - html: The cleaned document, with its pictures in `data:` URLs. A web view loads no others.
    ///   - title: The title.
    ///   - language: The language as a BCP 47 tag, or nil if it isn't known.
    ///   - viewport: The view that the document was cleaned for.
    ///   - notes: Texts below the document that aren't its own.
    public init(
        _ html: CleanHTML,
        title: String,
        language: String? = nil,
        for viewport: HTMLViewport,
        notes: [String] = []
    ) {
        document = HTMLDocument(
            html,
            title: title,
            language: language,
            textScale: Double(viewport.textPercentage) / 100,
            notes: notes
        )
        self.title = title
        trackingPixelCount = html.trackingPixelCount
        links = HTMLLinks(html)
    }

    /// Decides about a link that the person has activated.
    ///
    /// - Parameter url: The address, as the web view has it.
    public func click(on url: String) -> HTMLActions.Click { links.click(on: url) }
}
