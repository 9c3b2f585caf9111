public import InboxModel

/// The reason why an ``InboxUI`` has nothing to show.
public typealias InboxError = InboxUIError

extension InboxUI {
    /// Creates the state of a surface in the inbox that ``Messaging/setInbox(_:)`` has set, and begins to load it at
    /// once. As with Adobe, a surface without settings is an error, and the settings' capacity is a limit.
    ///
    /// - Parameters:
    ///   - surface: The surface.
    ///   - customizer: Customizes the appearance of cards.
    ///   - listener: Receives events. Held strongly.
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
            requiresSettings: true,
            endsAtCapacity: true
        )
    }
}
