package import InboxCards

/// A reader's language and time zone, with what every page says of them; to make it costs as much as some cards.
package struct PageLanguage: Sendable {
    package let relativeTime: RelativeTime
    /// The tag of the language (BCP 47).
    let tag: String
    let isRightToLeft: Bool

    package init(_ relativeTime: RelativeTime) {
        self.relativeTime = relativeTime
        tag = relativeTime.texts.languageTag
        isRightToLeft = relativeTime.texts.isRightToLeft
    }
}
