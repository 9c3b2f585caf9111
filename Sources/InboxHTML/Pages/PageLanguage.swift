package import InboxCards

/// A reader's language and time zone, with the texts that every page contains. Creating it costs as much as rendering
/// several cards.
package struct PageLanguage: Sendable {
    package let relativeTime: RelativeTime
    /// The BCP 47 tag of the language.
    let tag: String
    let isRightToLeft: Bool
    let snoozeMenu = SnoozeMenu()

    package init(_ relativeTime: RelativeTime) {
        self.relativeTime = relativeTime
        tag = relativeTime.texts.languageTag
        isRightToLeft = relativeTime.texts.isRightToLeft
    }
}
