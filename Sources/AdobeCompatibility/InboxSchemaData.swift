public import InboxCards

/// The settings of a surface, with Adobe's names.
public typealias InboxSchemaData = SurfaceAppearance

/// The content of a surface without cards.
public typealias EmptyStateSettings = SurfaceAppearance.EmptyState

extension SurfaceAppearance {
    /// The content of the empty state. Nil if the settings contain none.
    public var emptyStateSettings: EmptyStateSettings? {
        get { emptyState }
        set { emptyState = newValue }
    }

    /// Whether unread cards have an indicator.
    public var isUnreadEnabled: Bool {
        get { showsUnread }
        set { showsUnread = newValue }
    }
}
