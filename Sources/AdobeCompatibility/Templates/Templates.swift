/// A card with a small picture beside its texts.
public final class SmallImageTemplate: TextTemplate {
    /// How picture and texts lie.
    public var rootHStack: AEPHStack {
        get { own.rootStack }
        set { own.rootStack = newValue }
    }
}

/// A card with a large picture above its texts.
public final class LargeImageTemplate: TextTemplate {
    /// How picture and texts lie.
    public var rootVStack: AEPVStack {
        get { own.rootStack }
        set { own.rootStack = newValue }
    }
}

/// A card that is a picture.
public final class ImageOnlyTemplate: BaseTemplate {}
