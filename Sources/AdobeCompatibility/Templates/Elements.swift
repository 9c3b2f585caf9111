public import Foundation
public import InboxCards
import InboxModel

/// A text.
public typealias AEPText = TextElement
/// A picture.
public typealias AEPImage = ImageElement
/// How the parts of a stack lie.
public typealias AEPStack = StackStyle
/// How the parts of a row lie.
public typealias AEPHStack = StackStyle
/// How the parts of a column lie.
public typealias AEPVStack = StackStyle
/// What sends a card away.
public typealias AEPDismissButton = DismissElement

extension TextElement {
    /// Its colour.
    public var textColor: CardColor {
        get { color }
        set { color = newValue }
    }
}

extension ImageElement {
    /// The name of a symbol of the system; nil where it is another picture.
    public var icon: String? {
        get { media.icon }
        set { media.icon = newValue }
    }
}

extension DismissElement {
    /// The × as a picture: its colour and size can be changed; any name of a symbol with `circle` in it puts it in a
    /// circle.
    public var image: AEPImage {
        get {
            AEPImage(
                Media(icon: style == .circle ? "xmark.circle.fill" : "xmark"),
                iconColor: color,
                iconFont: font
            )
        }
        set {
            style = newValue.icon?.contains("circle") == true ? .circle : .simple
            (color, font) = (newValue.iconColor, newValue.iconFont)
        }
    }
}

/// A button.
@MainActor
public final class AEPButton: Identifiable {
    /// The button as it was changed.
    public private(set) var element: ButtonElement

    init(_ element: ButtonElement) {
        self.element = element
        id = element.id
    }

    /// The same as ``interactId``.
    public nonisolated let id: String
    /// Names it in reports.
    public nonisolated var interactId: String { id }
    /// Where it leads; nil for nowhere.
    public var actionUrl: URL? { element.action.link.isEmpty ? nil : URL(string: element.action.link) }
    /// Its label.
    public var text: AEPText {
        get { element.text }
        set { element.text = newValue }
    }
    /// Behind the label; nil for nothing.
    public var backgroundColor: CardColor? {
        get { element.backgroundColor }
        set { element.backgroundColor = newValue }
    }
}
