// Declarations of what the native screens use: navigation, lists, toolbars and menus. As in SwiftUI.swift, they follow
// Apple's public documentation.
public import Foundation

// MARK: - Navigation

public enum NavigationSplitViewColumn: Hashable, Sendable { case sidebar, content, detail }

public struct NavigationSplitView<Sidebar: View, Content: View, Detail: View>: View, Drawable {
    let drawing: Drawing
    public var body: Never { fatalError() }
}

extension NavigationSplitView where Content == EmptyView {
    public nonisolated init(
        preferredCompactColumn: Binding<NavigationSplitViewColumn>,
        @ViewBuilder sidebar: () -> Sidebar,
        @ViewBuilder detail: () -> Detail
    ) {
        let columns = [Part(.sidebar, sidebar()), Part(.detail, detail())]
        drawing = Drawing(.split(preferredCompactColumn)) { _ in columns }
    }
}

extension NavigationSplitView {
    public nonisolated init(
        preferredCompactColumn: Binding<NavigationSplitViewColumn>,
        @ViewBuilder sidebar: () -> Sidebar,
        @ViewBuilder content: () -> Content,
        @ViewBuilder detail: () -> Detail
    ) {
        let columns = [Part(.sidebar, sidebar()), Part(.middle, content()), Part(.detail, detail())]
        drawing = Drawing(.split(preferredCompactColumn)) { _ in columns }
    }
}

public struct NavigationView<Content: View>: View, Drawable {
    let drawing: Drawing
    public nonisolated init(@ViewBuilder content: () -> Content) { drawing = Drawing(.navigation, content()) }
    public var body: Never { fatalError() }
}

// MARK: - Lists and menus

public struct List<SelectionValue: Hashable, Content: View>: View, Drawable {
    let drawing: Drawing
    public var body: Never { fatalError() }
}

extension List where SelectionValue == Never {
    public nonisolated init(@ViewBuilder content: () -> Content) { drawing = Drawing(.list, content()) }
    public nonisolated init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {
        drawing = Drawing(.list, ForEach(data, content: rowContent))
    }
}

@MainActor @preconcurrency
public protocol ListStyle {}
public struct PlainListStyle: ListStyle {
    public nonisolated init() {}
}
extension ListStyle where Self == PlainListStyle {
    public static var plain: PlainListStyle { PlainListStyle() }
}

public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View, Drawable {
    let drawing: Drawing
    public var body: Never { fatalError() }
}

extension Picker where Label == Text {
    public nonisolated init<S: StringProtocol>(
        _ title: S,
        selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) {
        drawing = Drawing(
            .picker(
                title: String(title),
                get: { selection.wrappedValue },
                set: { if let value = $0.base as? SelectionValue { selection.wrappedValue = value } }
            ),
            content()
        )
    }
}

@MainActor @preconcurrency
public protocol PickerStyle {}
public struct SegmentedPickerStyle: PickerStyle {
    public nonisolated init() {}
}
public struct MenuPickerStyle: PickerStyle {
    public nonisolated init() {}
}
extension PickerStyle where Self == MenuPickerStyle {
    public static var menu: MenuPickerStyle { MenuPickerStyle() }
}
extension PickerStyle where Self == SegmentedPickerStyle {
    public static var segmented: SegmentedPickerStyle { SegmentedPickerStyle() }
}

public struct DatePicker<Label: View>: View, Drawable {
    let drawing: Drawing
    public var body: Never { fatalError() }
}

extension DatePicker where Label == Text {
    public nonisolated init<S: StringProtocol>(
        _ title: S,
        selection: Binding<Date>,
        in range: PartialRangeFrom<Date>
    ) {
        drawing = Drawing(.datePicker(title: String(title), selection))
    }
}

@MainActor @preconcurrency
public protocol DatePickerStyle {}
public struct GraphicalDatePickerStyle: DatePickerStyle {
    public nonisolated init() {}
}
extension DatePickerStyle where Self == GraphicalDatePickerStyle {
    public static var graphical: GraphicalDatePickerStyle { GraphicalDatePickerStyle() }
}

public struct Label<Title: View, Icon: View>: View, Drawable {
    let drawing: Drawing
    public var body: Never { fatalError() }
}

extension Label where Title == Text, Icon == Image {
    public nonisolated init<S: StringProtocol>(_ title: S, systemImage name: String) {
        // The symbol of a label is decoration.
        drawing = Drawing(
            .label,
            Image(systemName: name).accessibilityHidden(true),
            Part(.content, Text(title), key: 1)
        )
    }
}

public struct Menu<Title: View, Content: View>: View, Drawable {
    let drawing: Drawing
    public var body: Never { fatalError() }
}

extension Menu where Title == Label<Text, Image> {
    public nonisolated init<S: StringProtocol>(
        _ title: S,
        systemImage: String,
        @ViewBuilder content: () -> Content
    ) {
        let parts = [Part(.label, Label(title, systemImage: systemImage)), Part(.menu, content())]
        drawing = Drawing(.menu) { _ in parts }
    }
}

public struct ButtonRole: Equatable, Sendable {
    let name: String
    public static let destructive = Self(name: "destructive"), cancel = Self(name: "cancel")
}

extension Button where Label == SwiftUI.Label<Text, Image> {
    public nonisolated init<S: StringProtocol>(
        _ title: S,
        systemImage: String,
        action: @escaping @MainActor () -> Void
    ) {
        self.init(SwiftUI.Label(title, systemImage: systemImage), role: nil, action: action)
    }
    public nonisolated init<S: StringProtocol>(
        _ title: S,
        systemImage: String,
        role: ButtonRole?,
        action: @escaping @MainActor () -> Void
    ) {
        self.init(SwiftUI.Label(title, systemImage: systemImage), role: role, action: action)
    }
}

public struct BorderedButtonStyle: PrimitiveButtonStyle {}
extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {}
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    public static var borderedProminent: BorderedProminentButtonStyle { BorderedProminentButtonStyle() }
}

public struct Spacer: View, Drawable {
    public nonisolated init(minLength: CGFloat? = nil) {}
    var drawing: Drawing { Drawing(.spacer) }
    public var body: Never { fatalError() }
}

// MARK: - Toolbars

@MainActor @preconcurrency
public protocol ToolbarContent {
    associatedtype Body: ToolbarContent
    var body: Body { get }
}

extension Never: ToolbarContent {}

@resultBuilder
public struct ToolbarContentBuilder {
    public static func buildExpression<Content: ToolbarContent>(_ content: Content) -> Content { content }
    public static func buildBlock<Content: ToolbarContent>(_ content: Content) -> some ToolbarContent { content }
    public static func buildBlock<C0: ToolbarContent, C1: ToolbarContent>(_ c0: C0, _ c1: C1) -> some ToolbarContent {
        Items(parts: c0.items + c1.items)
    }
}

/// Items of the framework's own, which have no body.
private protocol Itemized {
    nonisolated var parts: [Part] { get }
}

extension ToolbarContent {
    /// The items, each with a key of its own.
    nonisolated var items: [Part] {
        let parts = (self as? any Itemized)?.parts ?? []
        return parts.enumerated().map { Part($0.element.role, $0.element.view, key: $0.offset) }
    }
}

private struct Items: ToolbarContent, Itemized {
    let parts: [Part]
    nonisolated init(parts: [Part]) { self.parts = parts }
    var body: Never { fatalError() }
}

public struct ToolbarItemPlacement: Hashable, Sendable {
    let name: String
    public static let automatic = Self(name: "automatic"), primaryAction = Self(name: "primaryAction")
    public static let secondaryAction = Self(name: "secondaryAction")
    public static let cancellationAction = Self(name: "cancellationAction")
    public static let confirmationAction = Self(name: "confirmationAction")
}

public struct ToolbarItem<ID, Content: View>: ToolbarContent, Itemized {
    fileprivate let parts: [Part]
    public var body: Never { fatalError() }
}

extension ToolbarItem where ID == () {
    public nonisolated init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        parts = [Part(.toolbar(placement), content())]
    }
}

public struct ToolbarItemGroup<Content: View>: ToolbarContent, Itemized {
    fileprivate let parts: [Part]
    public nonisolated init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        parts = [Part(.toolbar(placement), content())]
    }
    public var body: Never { fatalError() }
}
