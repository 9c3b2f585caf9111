/// A card with a small image next to its texts.
public final class SmallImageTemplate: TextTemplate {
    /// The layout of the image and the texts.
    public var rootHStack: AEPHStack {
        get { baseCard.rootStack }
        set { baseCard.rootStack = newValue }
    }
}

/// A card with a large image above its texts.
public final class LargeImageTemplate: TextTemplate {
    /// The layout of the image and the texts.
    public var rootVStack: AEPVStack {
        get { baseCard.rootStack }
        set { baseCard.rootStack = newValue }
    }
}

/// A card that is only an image.
public final class ImageOnlyTemplate: BaseTemplate {}
