// Declarations of SwiftUI's modifiers, from Apple's public documentation.
public import Foundation

public struct AccessibilityTraits: SetAlgebra, Sendable {
    public typealias Element = Self
    private var bits = 0
    public init() {}
    private init(bits: Int) { self.bits = bits }
    public func contains(_ member: Self) -> Bool { bits & member.bits == member.bits }
    public func union(_ other: Self) -> Self { Self(bits: bits | other.bits) }
    public func intersection(_ other: Self) -> Self { Self(bits: bits & other.bits) }
    public func symmetricDifference(_ other: Self) -> Self { Self(bits: bits ^ other.bits) }
    public mutating func insert(_ newMember: Self) -> (inserted: Bool, memberAfterInsert: Self) {
        defer { formUnion(newMember) }
        return (!contains(newMember), newMember)
    }
    public mutating func remove(_ member: Self) -> Self? {
        defer { bits &= ~member.bits }
        return contains(member) ? member : nil
    }
    public mutating func update(with newMember: Self) -> Self? { insert(newMember).inserted ? nil : newMember }
    public mutating func formUnion(_ other: Self) { bits |= other.bits }
    public mutating func formIntersection(_ other: Self) { bits &= other.bits }
    public mutating func formSymmetricDifference(_ other: Self) { bits ^= other.bits }
    public static let isButton = Self(bits: 1), isHeader = Self(bits: 2), isSelected = Self(bits: 4)
}

public struct AccessibilityChildBehavior: Hashable, Sendable {
    let name: String
    public static let contain = Self(name: "contain"), combine = Self(name: "combine"), ignore = Self(name: "ignore")
}

public protocol TextSelectability {}
public struct EnabledTextSelectability: TextSelectability {}
extension TextSelectability where Self == EnabledTextSelectability {
    public static var enabled: EnabledTextSelectability { EnabledTextSelectability() }
}

public protocol PrimitiveButtonStyle: Sendable {}
public struct PlainButtonStyle: PrimitiveButtonStyle {}
extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    public static var plain: PlainButtonStyle { PlainButtonStyle() }
}

public enum HorizontalEdge: Int8, Hashable, Sendable { case leading, trailing }
public enum VerticalEdge: Int8, Hashable, Sendable { case top, bottom }
public enum Visibility: Hashable, Sendable { case automatic, visible, hidden }

public struct Animation: Equatable, Sendable {
    public static let `default` = Animation()
}

extension View {
    public nonisolated func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center)
        -> some View
    {
        Modified(self, look: .frame(Frame(width: width, height: height, alignment: alignment)))
    }
    public nonisolated func frame(
        minWidth: CGFloat? = nil,
        idealWidth: CGFloat? = nil,
        maxWidth: CGFloat? = nil,
        minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil,
        maxHeight: CGFloat? = nil,
        alignment: Alignment = .center
    ) -> some View {
        Modified(
            self,
            look: .frame(
                Frame(
                    minWidth: minWidth,
                    maxWidth: maxWidth,
                    minHeight: minHeight,
                    maxHeight: maxHeight,
                    alignment: alignment
                )
            )
        )
    }
    public nonisolated func padding(_ insets: EdgeInsets) -> some View { Modified(self, look: .padding(insets)) }
    public nonisolated func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
        // The system's length.
        let length = length ?? 16
        return Modified(
            self,
            look: .padding(
                EdgeInsets(
                    top: edges.contains(.top) ? length : 0,
                    leading: edges.contains(.leading) ? length : 0,
                    bottom: edges.contains(.bottom) ? length : 0,
                    trailing: edges.contains(.trailing) ? length : 0
                )
            )
        )
    }
    public nonisolated func background<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V)
        -> some View
    {
        Modified(self, .parts, parts: [Part(.background(alignment), content())])
    }
    public nonisolated func overlay<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View
    {
        Modified(self, .parts, parts: [Part(.overlay(alignment), content())])
    }
    public nonisolated func clipShape<S: Shape>(_ shape: S) -> some View {
        Modified(self, look: .clip(shape.knownOutline))
    }
    public nonisolated func contentShape<S: Shape>(_ shape: S) -> some View {
        Modified(self, look: .behavior("contentShape"))
    }
    public nonisolated func ignoresSafeArea() -> some View { Modified(self, look: .ignoresSafeArea) }
    public nonisolated func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        Modified(self, .environment) { $0[keyPath: keyPath] = value }
    }
    public nonisolated func onChange<V: Equatable>(
        of value: V,
        initial: Bool = false,
        _ action: @escaping (V, V) -> Void
    ) -> some View {
        Modified(
            self,
            .change(
                value: value,
                isInitial: initial,
                isSame: { ($0 as? V) == value },
                action: { action($0 as? V ?? value, value) }
            )
        )
    }
    public nonisolated func textSelection<S: TextSelectability>(_ selectability: S) -> some View {
        Modified(self, look: .behavior("textSelection"))
    }
    public nonisolated func id<ID: Hashable>(_ id: ID) -> some View { Modified(self, .id, key: id) }
    public nonisolated func onAppear(perform action: (() -> Void)? = nil) -> some View {
        Modified(self, .appear(action ?? {}))
    }
    public nonisolated func onDisappear(perform action: (() -> Void)? = nil) -> some View {
        Modified(self, .disappear(action ?? {}))
    }
    public nonisolated func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View {
        Modified(self, .tap(action))
    }
    public nonisolated func onGeometryChange<T: Equatable & Sendable>(
        for type: T.Type,
        of transform: @escaping @Sendable (GeometryProxy) -> T,
        action: @escaping (T) -> Void
    ) -> some View {
        Modified(
            self,
            .geometry(
                measure: { transform($0) },
                isSame: { ($0 as? T) == ($1 as? T) },
                action: { ($0 as? T).map(action) }
            )
        )
    }
    public nonisolated func onGeometryChange<T: Equatable & Sendable>(
        for type: T.Type,
        of transform: @escaping @Sendable (GeometryProxy) -> T,
        action: @escaping (_ oldValue: T, _ newValue: T) -> Void
    ) -> some View {
        let before = Link<T>()
        return onGeometryChange(for: type, of: transform) { value in
            action(before.content ?? value, value)
            before.content = value
        }
    }
    public nonisolated func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { Modified(self, .task(action)) }
    public nonisolated func refreshable(action: @escaping @Sendable () async -> Void) -> some View {
        Modified(self, .environment) { $0.refresh = Refresh(action: action) }
    }
    public nonisolated func font(_ font: Font?) -> some View {
        Modified(self, .look(.font(font))) { $0.font = font }
    }
    public nonisolated func fontWeight(_ weight: Font.Weight?) -> some View {
        Modified(self, look: .fontWeight(weight))
    }
    public nonisolated func foregroundColor(_ color: Color?) -> some View {
        Modified(self, look: .foreground(color.map { [$0] } ?? []))
    }
    public nonisolated func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View {
        Modified(self, look: .foreground([style]))
    }
    public nonisolated func foregroundStyle<S1: ShapeStyle, S2: ShapeStyle>(_ primary: S1, _ secondary: S2) -> some View
    {
        Modified(self, look: .foreground([primary, secondary]))
    }
    public nonisolated func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
        Modified(self, look: .alignment(alignment))
    }
    public nonisolated func lineLimit(_ number: Int?) -> some View { Modified(self, look: .lineLimit(number)) }
    public nonisolated func aspectRatio(_ aspectRatio: CGFloat? = nil, contentMode: ContentMode) -> some View {
        Modified(self, look: .aspectRatio(aspectRatio, contentMode))
    }
    public nonisolated func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View {
        Modified(self, look: .buttonStyle(style))
    }
    public nonisolated func navigationTitle(_ titleKey: LocalizedStringKey) -> some View {
        Modified(self, .title(titleKey.text))
    }
    @_disfavoredOverload
    public nonisolated func navigationTitle<S: StringProtocol>(_ title: S) -> some View {
        Modified(self, .title(String(title)))
    }
    public nonisolated func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View {
        Modified(self, .element(children))
    }
    public nonisolated func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some View {
        Modified(self, .label(labelKey.text))
    }
    @_disfavoredOverload
    public nonisolated func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View {
        Modified(self, .label(String(label)))
    }
    public nonisolated func accessibilityHidden(_ hidden: Bool) -> some View { Modified(self, .hidden(hidden)) }
    public nonisolated func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
        Modified(self, .traits(traits))
    }
    public nonisolated func accessibilityAction(_ handler: @escaping () -> Void) -> some View {
        Modified(self, .accessibilityAction(handler))
    }
    public nonisolated func tag<V: Hashable>(_ tag: V) -> some View { Modified(self, .tag(tag)) }
    public nonisolated func listStyle<S: ListStyle>(_ style: S) -> some View {
        Modified(self, look: .listStyle(style))
    }
    public nonisolated func pickerStyle<S: PickerStyle>(_ style: S) -> some View {
        Modified(self, look: .pickerStyle(style))
    }
    public nonisolated func datePickerStyle<S: DatePickerStyle>(_ style: S) -> some View {
        Modified(self, look: .behavior("datePickerStyle"))
    }
    public nonisolated func listRowInsets(_ insets: EdgeInsets?) -> some View {
        Modified(self, look: .rowInsets(insets))
    }
    public nonisolated func listRowSeparator(_ visibility: Visibility) -> some View {
        Modified(self, look: .rowSeparator(visibility))
    }
    public nonisolated func listRowBackground<V: View>(_ view: V?) -> some View {
        Modified(self, look: view.map { .rowBackground($0) } ?? .behavior("listRowBackground"))
    }
    public nonisolated func scrollContentBackground(_ visibility: Visibility) -> some View {
        Modified(self, look: .listBackground(visibility))
    }
    public nonisolated func swipeActions<T: View>(
        edge: HorizontalEdge = .trailing,
        allowsFullSwipe: Bool = true,
        @ViewBuilder content: () -> T
    ) -> some View { Modified(self, .parts, parts: [Part(.swipe(edge), content())]) }
    public nonisolated func contextMenu<MenuItems: View>(@ViewBuilder menuItems: () -> MenuItems) -> some View {
        Modified(self, .parts, parts: [Part(.contextMenu, menuItems())])
    }
    public nonisolated func searchable<S: StringProtocol>(text: Binding<String>, prompt: S) -> some View {
        Modified(self, .search(text, prompt: String(prompt)))
    }
    public nonisolated func toolbar<Content: ToolbarContent>(@ToolbarContentBuilder content: () -> Content) -> some View
    {
        Modified(self, .parts, parts: content().items)
    }
    public nonisolated func safeAreaInset<V: View>(
        edge: VerticalEdge,
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> V
    ) -> some View { Modified(self, .parts, parts: [Part(.inset(edge), content())]) }
    public nonisolated func sheet<Content: View>(
        isPresented: Binding<Bool>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View { Modified(self, sheet: isPresented, onDismiss, content) }
    public nonisolated func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View {
        Modified(self, look: .behavior(animation == nil ? "no animation" : "animation"))
    }
    public nonisolated func tint(_ tint: Color?) -> some View { Modified(self, look: .behavior("tint")) }
    public nonisolated func onLongPressGesture(
        minimumDuration: Double = 0.5,
        maximumDistance: CGFloat = 10,
        perform action: @escaping () -> Void,
        onPressingChanged: ((Bool) -> Void)? = nil
    ) -> some View { Modified(self, look: .behavior("onLongPressGesture")) }
    public nonisolated func disabled(_ disabled: Bool) -> some View {
        Modified(self, .disabled(disabled)) { if disabled { $0.isEnabled = false } }
    }
    public nonisolated func border<S: ShapeStyle>(_ content: S, width: CGFloat = 1) -> some View {
        Modified(self, look: .border(content, width: width))
    }
    public nonisolated func accessibilityValue<S: StringProtocol>(_ value: S) -> some View {
        Modified(self, .value(String(value)))
    }
    public nonisolated func accessibilityActions<Content: View>(@ViewBuilder _ content: () -> Content) -> some View {
        Modified(self, .parts, parts: [Part(.actions, content())])
    }
    public nonisolated func badge(_ count: Int) -> some View { Modified(self, .badge(count)) }
}

extension Modified {
    /// A sheet, whose content is made while it is presented.
    fileprivate nonisolated init(
        _ view: Content,
        sheet isPresented: Binding<Bool>,
        _ onDismiss: (() -> Void)?,
        _ content: @escaping () -> some View
    ) {
        drawing = Drawing(.modifier(.sheet(isPresented, onDismiss: onDismiss))) { _ in
            [Part(.content, view)] + (isPresented.wrappedValue ? [Part(.sheet, content())] : [])
        }
    }
}
