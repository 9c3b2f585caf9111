// Declarations of what the native screens use: navigation, lists, toolbars, menus and accessibility. As in
// SwiftUI.swift, they follow Apple's public documentation and do nothing.
public import Foundation

// MARK: - Environment

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

extension EnvironmentValues {
    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { K.defaultValue }
        set {}
    }
    public var scenePhase: ScenePhase {
        get { .active }
        set {}
    }
    public var accessibilityReduceMotion: Bool { false }
}

public enum ScenePhase: Hashable, Sendable { case background, inactive, active }

extension DynamicProperty {
    public mutating func update() {}
}

extension Binding {
    public var projectedValue: Binding<Value> { self }
}

// MARK: - Navigation

public enum NavigationSplitViewColumn: Hashable, Sendable { case sidebar, content, detail }

public struct NavigationSplitView<Sidebar: View, Content: View, Detail: View>: View {
    public var body: Never { fatalError() }
}

extension NavigationSplitView where Content == EmptyView {
    public nonisolated init(
        preferredCompactColumn: Binding<NavigationSplitViewColumn>,
        @ViewBuilder sidebar: () -> Sidebar,
        @ViewBuilder detail: () -> Detail
    ) {}
}

// MARK: - Lists and menus

public struct List<SelectionValue: Hashable, Content: View>: View {
    public var body: Never { fatalError() }
}

extension List where SelectionValue == Never {
    public nonisolated init(@ViewBuilder content: () -> Content) {}
    public nonisolated init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {}
}

public struct NavigationView<Content: View>: View {
    public nonisolated init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

extension View {
    public nonisolated func badge(_ count: Int) -> some View { self }
}

@MainActor @preconcurrency
public protocol ListStyle {}
public struct PlainListStyle: ListStyle {
    public nonisolated init() {}
}
extension ListStyle where Self == PlainListStyle {
    public static var plain: PlainListStyle { PlainListStyle() }
}

public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View {
    public var body: Never { fatalError() }
}

extension Picker where Label == Text {
    public nonisolated init<S: StringProtocol>(
        _ title: S,
        selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) {}
}

@MainActor @preconcurrency
public protocol PickerStyle {}
public struct SegmentedPickerStyle: PickerStyle {
    public nonisolated init() {}
}
extension PickerStyle where Self == SegmentedPickerStyle {
    public static var segmented: SegmentedPickerStyle { SegmentedPickerStyle() }
}

public struct DatePicker<Label: View>: View {
    public var body: Never { fatalError() }
}

extension DatePicker where Label == Text {
    public nonisolated init<S: StringProtocol>(
        _ title: S,
        selection: Binding<Date>,
        in range: PartialRangeFrom<Date>
    ) {}
}

@MainActor @preconcurrency
public protocol DatePickerStyle {}
public struct GraphicalDatePickerStyle: DatePickerStyle {
    public nonisolated init() {}
}
extension DatePickerStyle where Self == GraphicalDatePickerStyle {
    public static var graphical: GraphicalDatePickerStyle { GraphicalDatePickerStyle() }
}

public struct Label<Title: View, Icon: View>: View {
    public var body: Never { fatalError() }
}

extension Label where Title == Text, Icon == Image {
    public nonisolated init<S: StringProtocol>(_ title: S, systemImage name: String) {}
}

public struct Menu<Title: View, Content: View>: View {
    public var body: Never { fatalError() }
}

extension Menu where Title == Label<Text, Image> {
    public nonisolated init<S: StringProtocol>(
        _ title: S,
        systemImage: String,
        @ViewBuilder content: () -> Content
    ) {}
}

public struct ButtonRole: Equatable, Sendable {
    public static let destructive = Self(), cancel = Self()
}

extension Button where Label == SwiftUI.Label<Text, Image> {
    public nonisolated init<S: StringProtocol>(
        _ title: S,
        systemImage: String,
        action: @escaping @MainActor () -> Void
    ) {}
    public nonisolated init<S: StringProtocol>(
        _ title: S,
        systemImage: String,
        role: ButtonRole?,
        action: @escaping @MainActor () -> Void
    ) {}
}

public struct BorderedButtonStyle: PrimitiveButtonStyle {}
extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {}
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    public static var borderedProminent: BorderedProminentButtonStyle { BorderedProminentButtonStyle() }
}

public struct Spacer: View {
    public nonisolated init(minLength: CGFloat? = nil) {}
    public var body: Never { fatalError() }
}

public struct Capsule: Shape {
    public nonisolated init() {}
    public var body: Never { fatalError() }
}

public struct Material: ShapeStyle {
    public static let regular = Self()
}
extension ShapeStyle where Self == Material {
    public static var regularMaterial: Material { .regular }
}

extension Color {
    public nonisolated static let white = Color(white: 1), red = Color(white: 0), gray = Color(white: 0)
}

extension ShapeStyle where Self == Color {
    public static var blue: Color { Color.blue }
    public static var gray: Color { Color.gray }
}

extension Font {
    public static let footnote = Font(), caption2 = Font()
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
        c0
    }
}

public struct ToolbarItemPlacement: Sendable {
    public static let automatic = Self(), primaryAction = Self(), secondaryAction = Self()
    public static let cancellationAction = Self(), confirmationAction = Self()
}

public struct ToolbarItem<ID, Content: View>: ToolbarContent {
    public var body: Never { fatalError() }
}

extension ToolbarItem where ID == () {
    public nonisolated init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {}
}

public struct ToolbarItemGroup<Content: View>: ToolbarContent {
    public nonisolated init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

// MARK: - Modifiers

public enum HorizontalEdge: Int8, Hashable, Sendable { case leading, trailing }
public enum VerticalEdge: Int8, Hashable, Sendable { case top, bottom }
public enum Visibility: Hashable, Sendable { case automatic, visible, hidden }

public struct Animation: Equatable, Sendable {
    public static let `default` = Animation()
}

public struct KeyEquivalent: Sendable, ExpressibleByExtendedGraphemeClusterLiteral {
    public init(extendedGraphemeClusterLiteral: Character) {}
}

extension AccessibilityTraits {
    public static let isSelected = Self()
}

extension View {
    public nonisolated func tag<V: Hashable>(_ tag: V) -> some View { Modified<Self>() }
    public nonisolated func listStyle<S: ListStyle>(_ style: S) -> some View { Modified<Self>() }
    public nonisolated func pickerStyle<S: PickerStyle>(_ style: S) -> some View { Modified<Self>() }
    public nonisolated func datePickerStyle<S: DatePickerStyle>(_ style: S) -> some View { Modified<Self>() }
    public nonisolated func listRowInsets(_ insets: EdgeInsets?) -> some View { Modified<Self>() }
    public nonisolated func listRowSeparator(_ visibility: Visibility) -> some View { Modified<Self>() }
    public nonisolated func swipeActions<T: View>(
        edge: HorizontalEdge = .trailing,
        allowsFullSwipe: Bool = true,
        @ViewBuilder content: () -> T
    ) -> some View { Modified<Self>() }
    public nonisolated func contextMenu<MenuItems: View>(@ViewBuilder menuItems: () -> MenuItems) -> some View {
        Modified<Self>()
    }
    public nonisolated func searchable<S: StringProtocol>(text: Binding<String>, prompt: S) -> some View {
        Modified<Self>()
    }
    public nonisolated func toolbar<Content: ToolbarContent>(@ToolbarContentBuilder content: () -> Content) -> some View
    {
        Modified<Self>()
    }
    public nonisolated func safeAreaInset<V: View>(
        edge: VerticalEdge,
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> V
    ) -> some View { Modified<Self>() }
    public nonisolated func sheet<Content: View>(
        isPresented: Binding<Bool>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View { Modified<Self>() }
    public nonisolated func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View { Modified<Self>() }
    public nonisolated func disabled(_ disabled: Bool) -> some View { Modified<Self>() }
    public nonisolated func keyboardShortcut(_ key: KeyEquivalent) -> some View { Modified<Self>() }
    public nonisolated func border<S: ShapeStyle>(_ content: S, width: CGFloat = 1) -> some View { Modified<Self>() }
    public nonisolated func accessibilityValue<S: StringProtocol>(_ value: S) -> some View { Modified<Self>() }
    public nonisolated func accessibilityActions<Content: View>(@ViewBuilder _ content: () -> Content) -> some View {
        Modified<Self>()
    }
}
