// Declarations of SwiftUI's focus and keys, from Apple's public documentation.

public struct KeyEquivalent: Hashable, Sendable, ExpressibleByExtendedGraphemeClusterLiteral {
    public var character: Character
    public init(_ character: Character) { self.character = character }
    public init(extendedGraphemeClusterLiteral: Character) { character = extendedGraphemeClusterLiteral }
    public static let upArrow = Self("\u{F700}"), downArrow = Self("\u{F701}")
    public static let leftArrow = Self("\u{F702}"), rightArrow = Self("\u{F703}")
    public static let `return` = Self("\r"), delete = Self("\u{8}"), escape = Self("\u{1B}")
}

public struct EventModifiers: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let capsLock = Self(rawValue: 1), shift = Self(rawValue: 2), control = Self(rawValue: 4)
    public static let option = Self(rawValue: 8), command = Self(rawValue: 16)
}

public struct KeyPress: Sendable {
    public enum Result: Sendable { case handled, ignored }
}

/// Whether a view has the focus, or which of several.
@propertyWrapper
public struct FocusState<Value: Hashable>: DynamicProperty, Stored {
    private let initial: Value
    private let link = Link<Location<Value>>()

    public init() where Value == Bool { initial = false }
    public init<T>() where Value == T?, T: Hashable { initial = nil }
    public var wrappedValue: Value {
        get { link.content?.value ?? initial }
        nonmutating set { link.content?.set(newValue) }
    }
    public var projectedValue: Binding {
        let (link, initial) = (link, initial)
        return Binding(get: { link.content?.value ?? initial }, set: { link.content?.set($0) })
    }

    func connect(to node: Node, _ index: Int) {
        link.content = node.stored(index) { Location(initial, of: node) }
    }

    @propertyWrapper
    public struct Binding {
        let get: () -> Value
        let set: (Value) -> Void
        public var wrappedValue: Value {
            get { get() }
            nonmutating set { set(newValue) }
        }
        public var projectedValue: Binding { self }
    }
}

extension View {
    public nonisolated func focusable(_ isFocusable: Bool = true) -> some View {
        Modified(self, look: .behavior("focusable"))
    }
    public nonisolated func focused<Value: Hashable>(_ binding: FocusState<Value>.Binding, equals value: Value)
        -> some View
    {
        Modified(
            self,
            .focus(isFocused: { binding.wrappedValue == value }, focus: { binding.wrappedValue = value })
        )
    }
    public nonisolated func onKeyPress(_ key: KeyEquivalent, action: @escaping () -> KeyPress.Result) -> some View {
        Modified(self, .key(key, action))
    }
    public nonisolated func keyboardShortcut(_ key: KeyEquivalent, modifiers: EventModifiers = .command) -> some View {
        Modified(self, .shortcut(key, modifiers))
    }
}
