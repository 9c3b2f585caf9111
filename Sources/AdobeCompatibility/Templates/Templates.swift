public import InboxCards

/// A card with a small picture beside its texts.
public final class SmallImageTemplate: BaseTemplate {
    /// The headline.
    public var title: AEPText {
        get { shownTitle }
        set { shownTitle = newValue }
    }
    /// The text.
    public var body: AEPText? {
        get { shownBody }
        set { shownBody = newValue }
    }
    /// The picture.
    public var image: AEPImage? {
        get { shownImage }
        set { shownImage = newValue }
    }
    /// The buttons, in the sender's order.
    public var buttons: [AEPButton]? { shownButtons }
    /// How picture and texts lie.
    public var rootHStack: AEPHStack {
        get { rootStack }
        set { rootStack = newValue }
    }
    /// How the texts lie.
    public var textVStack: AEPVStack {
        get { texts }
        set { texts = newValue }
    }
    /// How the buttons lie.
    public var buttonHStack: AEPHStack {
        get { buttonRow }
        set { buttonRow = newValue }
    }
}

/// A card with a large picture above its texts.
public final class LargeImageTemplate: BaseTemplate {
    /// The headline.
    public var title: AEPText {
        get { shownTitle }
        set { shownTitle = newValue }
    }
    /// The text.
    public var body: AEPText? {
        get { shownBody }
        set { shownBody = newValue }
    }
    /// The picture.
    public var image: AEPImage? {
        get { shownImage }
        set { shownImage = newValue }
    }
    /// The buttons, in the sender's order.
    public var buttons: [AEPButton]? { shownButtons }
    /// How picture and texts lie.
    public var rootVStack: AEPVStack {
        get { rootStack }
        set { rootStack = newValue }
    }
    /// How the texts lie.
    public var textVStack: AEPVStack {
        get { texts }
        set { texts = newValue }
    }
    /// How the buttons lie.
    public var buttonHStack: AEPHStack {
        get { buttonRow }
        set { buttonRow = newValue }
    }
}

/// A card that is a picture.
public final class ImageOnlyTemplate: BaseTemplate {
    /// The picture.
    public var image: AEPImage? {
        get { shownImage }
        set { shownImage = newValue }
    }
}
