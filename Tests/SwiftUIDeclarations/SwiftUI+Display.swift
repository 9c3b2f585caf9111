// What shows a view in tests: it reads bodies again after changes, as SwiftUI does before each frame.
import Foundation
import Observation

/// A view on a screen.
@MainActor
final class Display {
    /// The number of rows of a list that are on screen at once.
    static let rowCount = 8

    private(set) var root: Node!
    private(set) var problems: [String] = []
    private(set) var isEvaluating = false
    let opener = Opener()
    private let view: any View
    private var environment: EnvironmentValues
    private var dirty: [Node] = []
    private var waiting: [() -> Void] = []
    private var onScreen: [Node] = []
    private var isScheduled = false

    /// Shows a view.
    ///
    /// - Parameters:
    ///   - view: The view.
    ///   - change: Changes the environment.
    init(_ view: any View, _ change: (inout EnvironmentValues) -> Void = { _ in }) {
        self.view = view
        environment = EnvironmentValues()
        environment.openURL = OpenURLAction(opener)
        change(&environment)
        root = Node(Part(.content, view), in: environment, of: nil, on: self)
        root.evaluate()
        render()
    }

    /// Changes the environment, as when the app moves to the background.
    func change(_ change: (inout EnvironmentValues) -> Void) {
        change(&environment)
        root.update(view, environment)
        render()
    }

    /// Removes the view from the screen.
    func close() {
        root.remove()
        onScreen = []
    }

    // MARK: - What nodes report

    func problem(_ text: String) { problems.append(text) }
    func later(_ action: @escaping () -> Void) { waiting.append(action) }
    func isDirty(_ node: Node) -> Bool { dirty.contains { $0 === node } }

    func evaluating<Result>(_ body: () -> Result) -> Result {
        let before = isEvaluating
        isEvaluating = true
        defer { isEvaluating = before }
        return body()
    }

    func invalidate(_ node: Node) {
        if !isDirty(node) { dirty.append(node) }
        guard !isScheduled else { return }
        isScheduled = true
        Task { [weak self] in
            self?.isScheduled = false
            self?.render()
        }
    }

    // MARK: - Frames

    /// Reads what has changed, then reports what appears and what has changed, until nothing does.
    func render() {
        for _ in 0..<100 {
            while let node = dirty.min(by: { $0.depth < $1.depth }) {
                dirty.removeAll { $0 === node }
                node.evaluate()
            }
            report()
            if dirty.isEmpty, waiting.isEmpty { return }
        }
        problem("the screen changes with each frame")
        dirty = []
    }

    private func report() {
        let actions = waiting
        waiting = []
        for action in actions { action() }
        var nodes: [Node] = []
        root.collectShown(into: &nodes)
        let shown = Set(nodes.map(ObjectIdentifier.init))
        for node in onScreen where !shown.contains(ObjectIdentifier(node)) { node.disappear() }
        onScreen = nodes
        for node in nodes { node.appear() }
        let geometry = GeometryProxy(size: CGSize(width: environment.isCompact ? 375 : 800, height: 100))
        for node in nodes { node.measure(geometry) }
    }

    /// The nodes on screen, from the first to the last.
    var nodes: [Node] {
        var nodes: [Node] = []
        root.collectShown(into: &nodes)
        return nodes
    }
}

/// The pictures of the web, which a test makes known.
@Observable
final class Pictures: @unchecked Sendable {
    private var phases: [URL: AsyncImagePhase] = [:]

    func phase(of url: URL?) -> AsyncImagePhase { url.flatMap { phases[$0] } ?? .empty }

    func set(_ phase: AsyncImagePhase, of url: URL) { phases[url] = phase }
}
