public import InboxModel
public import InboxViews

/// Why an ``InboxViews/InboxUI`` has nothing to show.
public typealias InboxError = InboxUIError

extension InboxUI {
    /// Shows a surface of the inbox that ``Messaging/setInbox(_:)`` was given; begins to load at once. As with Adobe, a
    /// surface without settings is an error.
    ///
    /// - Parameters:
    ///   - surface: The surface.
    ///   - customizer: Changes how cards look.
    ///   - listener: Hears of what happens; held weakly.
    public convenience init(
        surface: Surface,
        customizer: (any ContentCardCustomizing)? = nil,
        listener: (any InboxEventListening)? = nil
    ) {
        self.init(
            surface: surface,
            inbox: nil,
            customizer: customizer.map(TemplateCustomizer.init),
            listener: listener,
            requiresSettings: true
        )
    }
}
