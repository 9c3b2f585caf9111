/// The status that is shown in place of a list or a message: a progress indicator, or a title and a text.
public struct AppInboxStatus: Hashable, Sendable {
    /// A progress indicator.
    public struct Progress: Hashable, Sendable {
        /// The color of the indicator; nil for the default one.
        public var color: AppInboxColor?
        /// The color behind it; nil for none.
        public var backgroundColor: AppInboxColor?
    }

    /// The progress indicator; nil if none is shown.
    public var progress: Progress?
    /// The title; nil if none is shown.
    public var title: AppInboxLabel?
    /// The text; nil if none is shown.
    public var message: AppInboxLabel?

    static func loading(_ appearance: AppInboxImageAppearance) -> AppInboxStatus {
        let progress = Progress(color: appearance.progressColor, backgroundColor: appearance.backgroundColor)
        return AppInboxStatus(progress: appearance.isVisible ? progress : nil)
    }

    static func empty(_ appearance: AppInboxListAppearance, _ texts: AppInboxTexts) -> AppInboxStatus {
        AppInboxStatus(
            title: AppInboxLabel(texts[.emptyTitle], appearance.emptyTitle),
            message: AppInboxLabel(texts[.emptyMessage], appearance.emptyMessage)
        )
    }

    static func failed(_ appearance: AppInboxListAppearance, _ texts: AppInboxTexts) -> AppInboxStatus {
        AppInboxStatus(
            title: AppInboxLabel(texts[.errorTitle], appearance.errorTitle),
            message: AppInboxLabel(texts[.errorMessage], appearance.errorMessage)
        )
    }
}
