// How the declared views run: each view of the framework says what it draws, as a kind and parts, from which
// SwiftUI+Node.swift makes a tree. Nothing here is part of Apple's API; tests reach it by `@testable import SwiftUI`.
import Foundation

/// A view of the framework's own, which has no body.
@MainActor
protocol Drawable {
    var drawing: Drawing { get }
}

/// What a view of the framework's own draws.
struct Drawing: @unchecked Sendable {
    var kind: Kind
    /// Changes the environment of the content.
    var environment: ((inout EnvironmentValues) -> Void)?
    var parts: (EnvironmentValues) -> [Part]

    init(
        _ kind: Kind,
        parts: @escaping (EnvironmentValues) -> [Part] = { _ in [] },
        environment: ((inout EnvironmentValues) -> Void)? = nil
    ) {
        (self.kind, self.environment, self.parts) = (kind, environment, parts)
    }

    init(_ kind: Kind, _ content: any View, _ others: Part...) {
        self.init(kind) { _ in [Part(.content, content)] + others }
    }
}

/// A view within another.
struct Part: @unchecked Sendable {
    /// Where the view is.
    enum Role: Hashable, Sendable {
        case content, label, sheet, sidebar, middle, detail
        case background(Alignment), overlay(Alignment), inset(VerticalEdge)
        /// A bar's item.
        case toolbar(ToolbarItemPlacement)
        /// Behind a tap or a gesture.
        case menu, contextMenu, swipe(HorizontalEdge), actions
    }

    let role: Role
    let view: any View
    /// Distinguishes the view from its neighbours, and from what was in its place before.
    let key: AnyHashable

    init(_ role: Role, _ view: any View, key: AnyHashable = 0) {
        (self.role, self.view, self.key) = (role, view, key)
    }
}

/// What a view is.
enum Kind {
    /// A view with a body.
    case composite
    /// Views one after the other, which are the rows of a list around them.
    case group
    case stack(Stacking)
    case list, lazyStack(Stacking)
    /// A symbol and a title, in this order.
    case label
    case scroll(Axis.Set)
    case navigation
    case split(Binding<NavigationSplitViewColumn>)
    case text(String)
    case image(String, isResizable: Bool = false)
    case picture(URL?)
    /// The fraction that is done; nil where it isn't known.
    case progress(Double?)
    case spacer
    case shape(Outline)
    case color(Color), gradient([Color])
    case share(URL)
    case button(ButtonRole?, @MainActor () -> Void)
    case menu
    case picker(title: String, get: () -> AnyHashable, set: (AnyHashable) -> Void)
    case datePicker(title: String, Binding<Date>)
    /// A field for text: of one line, or an editor of many.
    case field(title: String, Binding<String>, isEditor: Bool)
    /// Cells side by side, each at least that wide.
    case grid(minimum: CGFloat)
    /// A view of UIKit or AppKit: makes it, and shows the view's current values in it.
    case platform(make: @MainActor () -> AnyObject, update: @MainActor (AnyObject) -> Void)
    case modifier(Modifier)
}

/// What a modifier does.
enum Modifier {
    /// It changes the look or the place alone.
    case look(Look)
    case environment
    case parts
    case id
    case tag(AnyHashable)
    case badge(Int), title(String)
    case disabled(Bool)
    case tap(() -> Void)
    case appear(() -> Void), disappear(() -> Void)
    case task(@Sendable () async -> Void)
    /// Calls the action with the value before if the value is another one.
    case change(value: Any, isInitial: Bool, isSame: (Any) -> Bool, action: (Any) -> Void)
    /// Measures, and calls the action if the result is another one than before.
    case geometry(measure: (GeometryProxy) -> Any, isSame: (Any, Any) -> Bool, action: (Any) -> Void)
    case search(Binding<String>, prompt: String)
    /// What the return key of a field does.
    case submit(() -> Void)
    /// The system's choice of files.
    case importer(Binding<Bool>, (Result<[URL], any Error>) -> Void)
    /// Whether the view has the focus, and what gives it to it.
    case focus(isFocused: () -> Bool, focus: () -> Void)
    case key(KeyEquivalent, () -> KeyPress.Result), shortcut(KeyEquivalent, EventModifiers)
    case sheet(Binding<Bool>, onDismiss: (() -> Void)?)
    /// The system's preview of a file.
    case preview(Binding<URL?>)
    case label(String), value(String), hidden(Bool), traits(AccessibilityTraits)
    case element(AccessibilityChildBehavior)
    case accessibilityAction(() -> Void)
}

/// The result of the modifiers.
public struct Modified<Content: View>: View, Drawable {
    let drawing: Drawing
    public var body: Never { fatalError() }

    nonisolated init(
        _ content: Content,
        _ modifier: Modifier,
        parts: [Part] = [],
        key: AnyHashable = 0,
        environment: ((inout EnvironmentValues) -> Void)? = nil
    ) {
        let all = [Part(.content, content, key: key)] + parts
        drawing = Drawing(.modifier(modifier), parts: { _ in all }, environment: environment)
    }

    nonisolated init(_ content: Content, look: Look) {
        self.init(content, .look(look))
    }
}

// MARK: - Comparison

/// Whether two views or values are the same as far as can be seen. Closures aren't, so that a view with one is
/// evaluated again.
func isSame(_ one: Any, _ other: Any) -> Bool {
    guard type(of: one) == type(of: other) else { return false }
    if let one = one as? any Stored, other is any Stored { return one.isSame }
    if let one = one as? any Equatable { return isEqual(one, other) }
    if type(of: one) is AnyClass { return (one as AnyObject) === (other as AnyObject) }
    let (first, second) = (Mirror(reflecting: one), Mirror(reflecting: other))
    guard first.displayStyle != nil, first.children.count == second.children.count else { return false }
    if first.displayStyle == .enum, first.children.isEmpty { return "\(one)" == "\(other)" }
    return zip(first.children, second.children).allSatisfy { $0.label == $1.label && isSame($0.value, $1.value) }
}

private func isEqual<Value: Equatable>(_ one: Value, _ other: Any) -> Bool { one == other as? Value }
