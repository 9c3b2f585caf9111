public import Foundation
public import InboxCards
import InboxModel

/// A text.
public typealias AEPText = TextElement
/// An image.
public typealias AEPImage = ImageElement
/// The layout of a stack.
public typealias AEPStack = StackStyle
/// The layout of a horizontal stack.
public typealias AEPHStack = StackStyle
/// The layout of a vertical stack.
public typealias AEPVStack = StackStyle
/// A dismiss button.
public typealias AEPDismissButton = DismissElement

extension TextElement {
    /// The color.
    public var textColor: CardColor {
        get { color }
        set { color = newValue }
    }
}

extension ImageElement {
    /// The name of a system symbol, or nil for another image.
    public var icon: String? {
        get { media.icon }
        set { media.icon = newValue }
    }
}

extension DismissElement {
    /// The × as an image. Its color and size can be changed. A symbol whose name contains `circle` puts it in a circle.
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
    /// The button with the changes.
    public private(set) var element: ButtonElement

    init(_ element: ButtonElement) {
        self.element = element
        id = element.id
    }

    /// The same as ``interactId``.
    public nonisolated let id: String
    /// The id of the button in events.
    public nonisolated var interactId: String { id }
    /// The URL that the button opens, or nil if there is none.
    public var actionUrl: URL? { element.action.link.isEmpty ? nil : URL(string: element.action.link) }
    /// The label.
    public var text: AEPText {
        get { element.text }
        set { element.text = newValue }
    }
    /// The background color of the label. Nil for none.
    public var backgroundColor: CardColor? {
        get { element.backgroundColor }
        set { element.backgroundColor = newValue }
    }
}
