// Declarations of SwiftUI's state and environment, from Apple's public documentation, and how they are kept: a view's
// node has the values, to which each new value of the view is connected before its body is read.
@_spi(Running) import Combine
public import Foundation

public protocol DynamicProperty {
    mutating func update()
}

extension DynamicProperty {
    public mutating func update() {}
}

/// A property whose value is in the view's node.
@MainActor
protocol Stored {
    /// Connects the property to the node's value with an index.
    func connect(to node: Node, _ index: Int)
    /// Whether a change of the property itself isn't a change of its view.
    nonisolated var isSame: Bool { get }
}

extension Stored {
    nonisolated var isSame: Bool { true }
}

/// A value of a node.
final class Location<Value> {
    private weak var node: Node?
    private(set) var value: Value

    init(_ value: Value, of node: Node?) { (self.value, self.node) = (value, node) }

    func set(_ value: Value) {
        let isSame = isSame(self.value, value)
        self.value = value
        let node = node
        MainActor.assumeIsolated {
            guard let node else { return }
            if node.display.isEvaluating { node.display.problem("\(node.name): state was set while a body was read") }
            if !isSame { node.invalidate() }
        }
    }
}

/// The connection of a property with what its node has.
final class Link<Content>: @unchecked Sendable {
    var content: Content?
}

@propertyWrapper
public struct State<Value>: DynamicProperty, Stored {
    private let initial: Value
    private let link = Link<Location<Value>>()

    public init(wrappedValue: Value) { initial = wrappedValue }
    public init(initialValue value: Value) { initial = value }
    public var wrappedValue: Value {
        get { link.content?.value ?? initial }
        nonmutating set { link.content?.set(newValue) }
    }
    public var projectedValue: Binding<Value> {
        let (link, initial) = (link, initial)
        return Binding {
            link.content?.value ?? initial
        } set: {
            link.content?.set($0)
        }
    }

    func connect(to node: Node, _ index: Int) {
        link.content = node.stored(index) { Location(initial, of: node) }
    }
}

@propertyWrapper
public struct Environment<Value>: DynamicProperty, Stored {
    private let keyPath: KeyPath<EnvironmentValues, Value>
    private let link = Link<EnvironmentValues>()

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }
    public var wrappedValue: Value { (link.content ?? EnvironmentValues())[keyPath: keyPath] }

    func connect(to node: Node, _ index: Int) { link.content = node.environment }
}

@MainActor @preconcurrency
@propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty, Stored {
    public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
    public var wrappedValue: ObjectType

    func connect(to node: Node, _ index: Int) {
        guard let changes = wrappedValue.objectWillChange as? any Following else { return }
        let subscription = changes.follow { [weak node] _ in MainActor.assumeIsolated { node?.invalidate() } }
        node.replace(index, AnyCancellable(subscription))
    }

    nonisolated var isSame: Bool { false }
}

@propertyWrapper
public struct Binding<Value> {
    private let get: () -> Value
    private let set: (Value) -> Void

    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) { (self.get, self.set) = (get, set) }
    public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }
    public var projectedValue: Binding<Value> { self }
}

@propertyWrapper
public struct ScaledMetric<Value: BinaryFloatingPoint>: DynamicProperty, Stored {
    private let value: Value
    private let link = Link<Double>()

    public init(wrappedValue: Value, relativeTo style: Font.TextStyle) { value = wrappedValue }
    public var wrappedValue: Value { value * Value(link.content ?? 1) }

    func connect(to node: Node, _ index: Int) { link.content = node.environment.textScale }
    nonisolated var isSame: Bool { false }
}

// MARK: - Environment

public enum ColorScheme: Hashable, Sendable { case light, dark }
public enum ScenePhase: Hashable, Sendable { case background, inactive, active }

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]
    public var colorScheme = ColorScheme.light
    public var font: Font?
    public var layoutDirection = LayoutDirection.leftToRight
    public var scenePhase = ScenePhase.active
    public var dynamicTypeSize = DynamicTypeSize.large
    public internal(set) var openURL = OpenURLAction()
    public internal(set) var dismiss = DismissAction()
    public internal(set) var accessibilityReduceMotion = false
    var isEnabled = true
    /// The person's text size, as a factor.
    var textScale = 1.0
    /// Whether columns cover each other.
    var isCompact = false
    var refresh: Refresh?
    var pictures = Pictures()

    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

extension EnvironmentValues {
    func isSame(as other: Self) -> Bool { SwiftUI.isSame(self, other) }
}

/// What a pull does.
struct Refresh {
    let action: @Sendable () async -> Void
}

@MainActor @preconcurrency
public struct OpenURLAction {
    let opener: Opener
    nonisolated init(_ opener: Opener = Opener()) { self.opener = opener }
    public func callAsFunction(_ url: URL) { opener.opened.append(url) }
}

/// The system, which opens addresses.
@MainActor
final class Opener {
    var opened: [URL] = []
    nonisolated init() {}
}

@MainActor @preconcurrency
public struct DismissAction {
    let binding: Link<@MainActor () -> Void>
    nonisolated init(_ binding: Link<@MainActor () -> Void> = Link()) { self.binding = binding }
    public func callAsFunction() { binding.content?() }
}
