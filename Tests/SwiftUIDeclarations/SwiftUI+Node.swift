// The tree of a display: a node for each view, which keeps the view's state while the view has the same identity, as
// https://developer.apple.com/documentation/swiftui/managing-user-interface-state says.
import Foundation
import Observation

@MainActor
final class Node {
    unowned let display: Display
    private(set) weak var parent: Node?
    let role: Part.Role
    private let key: AnyHashable
    private(set) var view: any View
    private(set) var environment: EnvironmentValues
    private(set) var kind = Kind.group
    private(set) var children: [Node] = []

    /// What the view's properties have stored, by their place.
    private var storage: [Int: AnyObject] = [:]
    /// The last value of a change or a measure, or the platform's view.
    private(set) var memory: Any?
    /// Whether the view has appeared.
    private(set) var hasAppeared = false
    private var task: Task<Void, Never>?
    private var isRemoved = false
    /// The first row on screen, of a list.
    var firstRow = 0
    private(set) var evaluations = 0

    init(_ part: Part, in environment: EnvironmentValues, of parent: Node?, on display: Display) {
        (role, key, view) = (part.role, part.key, part.view)
        (self.environment, self.parent, self.display) = (environment, parent, display)
    }

    /// The view's type without what it is made of.
    var name: String { String("\(type(of: view))".prefix { $0 != "<" }) }
    var depth: Int { parent.map { $0.depth + 1 } ?? 0 }

    // MARK: - State

    func stored<Object: AnyObject>(_ index: Int, _ make: () -> Object) -> Object {
        if let object = storage[index] as? Object { return object }
        let object = make()
        storage[index] = object
        return object
    }

    func replace(_ index: Int, _ object: AnyObject) { storage[index] = object }

    func invalidate() {
        if !isRemoved { display.invalidate(self) }
    }

    private let dismissal = Link<@MainActor () -> Void>()

    // MARK: - Evaluation

    /// Reads the view again, and brings the nodes below up to date.
    func evaluate() {
        guard !isRemoved else { return }
        evaluations += 1
        if evaluations == 2_000 { display.problem("\(name): its body is read again and again") }
        var content = environment
        let parts = withObservationTracking {
            display.evaluating { read(&content) }
        } onChange: { [weak self] in
            MainActor.assumeIsolated { self?.willChange() }
        }
        var old = children
        children = parts.map { part in
            var environment = part.role == .content || part.role == .label ? content : self.environment
            // What is in a sheet dismisses that sheet.
            if part.role == .sheet, case .modifier(.sheet(let isPresented, _)) = kind {
                dismissal.content = { isPresented.wrappedValue = false }
                environment.dismiss = DismissAction(dismissal)
            }
            let index = old.firstIndex { $0.role == part.role && $0.key == part.key && $0.hasType(of: part.view) }
            if let index {
                let child = old.remove(at: index)
                child.update(part.view, environment)
                return child
            }
            let child = Node(part, in: environment, of: self, on: display)
            child.evaluate()
            return child
        }
        for child in old { child.remove() }
        note()
    }

    private func willChange() {
        if display.isEvaluating { display.problem("\(name): what it shows was changed while a body was read") }
        invalidate()
    }

    private func hasType(of other: any View) -> Bool { type(of: view) == type(of: other) }

    func update(_ view: any View, _ environment: EnvironmentValues) {
        let isUnchanged =
            !(view is any Drawable) && isSame(self.view, view) && self.environment.isSame(as: environment)
            && !display.isDirty(self)
        (self.view, self.environment) = (view, environment)
        if !isUnchanged { evaluate() }
    }

    private func read(_ content: inout EnvironmentValues) -> [Part] {
        if let drawing = (view as? any Drawable)?.drawing ?? view.platformDrawing {
            kind = drawing.kind
            drawing.environment?(&content)
            return drawing.parts(environment)
        }
        kind = .composite
        var index = 0
        connect(view, &index)
        return [Part(.content, body(of: view))]
    }

    private func body(of view: some View) -> any View { view.body }

    /// Connects the properties of a view, and those within them, and updates them.
    private func connect(_ value: Any, _ index: inout Int) {
        for child in Mirror(reflecting: value).children {
            guard var property = child.value as? any DynamicProperty else { continue }
            index += 1
            if let stored = property as? any Stored {
                stored.connect(to: self, index)
            } else {
                connect(property, &index)
                property.update()
            }
        }
    }

    /// Compares what the view has now with what it had before.
    private func note() {
        switch kind {
        case .modifier(.change(let value, let isInitial, let isSame, let action)):
            let before = memory
            memory = value
            if before.map({ !isSame($0) }) ?? isInitial { display.later { action(before ?? value) } }
        case .platform(let make, let update):
            let view = (memory as AnyObject?) ?? make()
            memory = view
            update(view)
        default: break
        }
    }

    // MARK: - Appearance

    /// The nodes below that are on screen if this one is.
    var shown: [Node] {
        switch kind {
        case .list, .lazyStack:
            let rows = rows
            let shown = Set(rows.dropFirst(firstRow).prefix(Display.rowCount).map(ObjectIdentifier.init))
            let hidden = Set(rows.map(ObjectIdentifier.init)).subtracting(shown)
            return children.flatMap { $0.leaving(hidden) }
        case .split(let column) where environment.isCompact:
            // Of two columns, the second one is also what a person sees in place of a third.
            let role = [.sidebar: Part.Role.sidebar, .content: .middle][column.wrappedValue] ?? .detail
            let found = children.filter { $0.role == role }
            return found.isEmpty ? children.filter { $0.role == .detail } : found
        default:
            return children.filter { !$0.isBehindGesture }
        }
    }

    private var isBehindGesture: Bool {
        switch role {
        case .menu, .contextMenu, .swipe, .actions: true
        default: false
        }
    }

    /// The views of a list that are its rows.
    var rows: [Node] { children.flatMap { $0.asRows } }

    private var asRows: [Node] {
        switch kind {
        case .group, .composite: children.flatMap { $0.asRows }
        default: [self]
        }
    }

    /// This node, or the rows below that aren't hidden.
    private func leaving(_ hidden: Set<ObjectIdentifier>) -> [Node] {
        if hidden.contains(ObjectIdentifier(self)) { return [] }
        switch kind {
        case .group, .composite: return children.flatMap { $0.leaving(hidden) }
        default: return [self]
        }
    }

    /// The nodes that are on screen, this one first.
    func collectShown(into nodes: inout [Node]) {
        nodes.append(self)
        for child in shown { child.collectShown(into: &nodes) }
    }

    func appear() {
        guard !hasAppeared else { return }
        hasAppeared = true
        switch kind {
        case .modifier(.appear(let action)): action()
        case .modifier(.task(let action)): task = Task { await action() }
        default: break
        }
    }

    func disappear() {
        guard hasAppeared else { return }
        hasAppeared = false
        if case .modifier(.disappear(let action)) = kind { action() }
        task?.cancel()
        task = nil
    }

    func measure(_ geometry: GeometryProxy) {
        guard case .modifier(.geometry(let measure, let isSame, let action)) = kind else { return }
        let value = measure(geometry)
        guard memory.map({ !isSame($0, value) }) ?? true else { return }
        memory = value
        action(value)
    }

    func remove() {
        isRemoved = true
        disappear()
        for child in children { child.remove() }
        storage = [:]
    }
}

extension View {
    /// What a view of the platform draws; nil for others.
    fileprivate var platformDrawing: Drawing? {
        #if canImport(UIKit)
            (self as? any UIViewRepresentable)?.representation
        #elseif canImport(AppKit)
            (self as? any NSViewRepresentable)?.representation
        #else
            nil
        #endif
    }
}
