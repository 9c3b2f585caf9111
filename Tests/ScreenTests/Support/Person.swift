import Foundation
import HTMLViews
import Screens

@testable import SwiftUI

/// A person at a screen.
@MainActor
final class Person {
    let display: Display

    /// - Parameters:
    ///   - view: What is on the screen.
    ///   - change: Changes the environment.
    init(_ view: some View, _ change: (inout EnvironmentValues) -> Void = { _ in }) {
        display = Display(view, change)
    }

    // MARK: - Seeing

    /// What is on the screen, in order: texts, names of symbols, `…` for an indicator of progress.
    var texts: [String] { display.root.touches.map(\.text) }
    /// What a screen reader finds.
    var elements: [Element] { display.root.elements }
    /// The addresses that were opened.
    var opened: [String] { display.opener.opened.map(\.absoluteString) }

    func sees(_ text: String) -> Bool { texts.contains(text) }

    /// Waits until a condition is met.
    func waits(_ what: String, until condition: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(180)
        while ContinuousClock.now < deadline {
            display.render()
            try check()
            if try await condition() { return }
            try await Task.sleep(for: .milliseconds(2))
        }
        throw Unexpected("\(what) was expected, and the screen has \(texts)")
    }

    func waits(for text: String) async throws {
        try await waits("'\(text)'") { sees(text) }
    }

    func waits(forNo text: String) async throws {
        try await waits("no '\(text)'") { !sees(text) }
    }

    private func check() throws {
        if let problem = display.problems.first { throw Unexpected(problem) }
    }

    // MARK: - Touching

    /// Taps a text, a symbol or a labelled button.
    func taps(_ text: String) throws {
        let found = display.root.touches.filter { $0.text == text }
        guard let touch = found.first(where: { $0.action != nil }) else {
            throw Unexpected("'\(text)' can't be tapped; the screen has \(texts)")
        }
        guard touch.isEnabled else { throw Unexpected("'\(text)' is disabled") }
        touch.action?()
        display.render()
        try check()
    }

    /// The row with a text.
    func row(_ text: String) throws -> Node {
        for node in display.nodes {
            switch node.kind {
            case .list, .lazyStack:
                let row = node.rows.first { $0.touches.contains { $0.text == text } }
                if let row { return row }
            default: break
            }
        }
        throw Unexpected("no row has '\(text)'; the screen has \(texts)")
    }

    /// Swipes over a row, and taps one of the buttons there; by default the swipe is a full one.
    func swipes(_ text: String, _ edge: HorizontalEdge, button: String? = nil) throws {
        let buttons = try row(text).parts(.swipe(edge)).flatMap(\.elements)
        try activate(button, of: buttons)
    }

    /// The labels of the buttons behind a swipe.
    func swipeButtons(_ text: String, _ edge: HorizontalEdge) throws -> [String] {
        try row(text).parts(.swipe(edge)).flatMap(\.elements).map(\.label)
    }

    /// Opens a menu on the screen, and taps what follows in it and in the menus within.
    func chooses(_ menu: String, _ path: String...) throws { try choose([menu] + path, in: [display.root]) }

    /// Touches a row for long, and taps in its menu.
    func chooses(of row: String, _ path: String...) throws {
        try choose(path, in: try self.row(row).parts(.contextMenu))
    }

    /// The labels in the menu of a row.
    func menu(of row: String) throws -> [String] {
        try self.row(row).parts(.contextMenu).flatMap(\.elements).map(\.label)
    }

    private func choose(_ path: [String], in nodes: [Node]) throws {
        guard path.count > 1 else { return try activate(path.first, of: nodes.flatMap(\.elements)) }
        let menus = nodes.flatMap(\.all).filter { if case .menu = $0.kind { true } else { false } }
        guard let menu = menus.first(where: { $0.elements.first?.label == path.first }) else {
            throw Unexpected("no menu is named '\(path[0])'; the screen has \(texts)")
        }
        try choose(Array(path.dropFirst()), in: menu.children.filter { $0.role == .menu })
    }

    private func activate(_ label: String?, of elements: [Element]) throws {
        guard let element = elements.first(where: { label == nil || $0.label == label }) else {
            throw Unexpected("'\(label ?? "a button")' was expected among \(elements.map(\.label))")
        }
        guard element.isEnabled, let action = element.activate else {
            throw Unexpected("'\(element.label)' can't be tapped")
        }
        action()
        display.render()
        try check()
    }

    /// Pulls down what scrolls and can be refreshed, and waits until it has been.
    func pulls() async throws {
        let pulled = display.nodes.first { node in
            switch node.kind {
            case .list: node.environment.refresh != nil
            case .scroll(let axes): axes.contains(.vertical) && node.environment.refresh != nil
            default: false
            }
        }
        guard let refresh = pulled?.environment.refresh else { throw Unexpected("nothing can be pulled") }
        await refresh.action()
        display.render()
        try check()
    }

    /// Scrolls the first list on the screen until a row is the first one.
    func scrolls(to row: Int) throws {
        let list = display.nodes.first { node in
            switch node.kind {
            case .list, .lazyStack: true
            default: false
            }
        }
        guard let list else { throw Unexpected("nothing can be scrolled; the screen has \(texts)") }
        list.firstRow = max(0, min(row, list.rows.count - 1))
        display.render()
        try check()
    }

    /// Types into the search field.
    func types(_ text: String) throws {
        for node in display.nodes {
            if case .modifier(.search(let binding, _)) = node.kind {
                binding.wrappedValue = text
                display.render()
                return try check()
            }
        }
        throw Unexpected("there is no search field")
    }

    /// The field with a title, or the editor with a label.
    private func field(_ title: String) throws -> (node: Node, text: Binding<String>) {
        for node in display.nodes {
            if case .field(let name, let text, _) = node.kind, name == title || node.isLabelled(title) {
                return (node, text)
            }
        }
        throw Unexpected("no field is named '\(title)'; the screen has \(elements.map(\.label))")
    }

    /// Types into a field, in place of what is there.
    func types(_ text: String, into title: String) throws {
        let field = try field(title)
        guard field.node.environment.isEnabled else { throw Unexpected("'\(title)' is disabled") }
        field.text.wrappedValue = text
        display.render()
        try check()
    }

    /// What is in a field.
    func text(in title: String) throws -> String { try field(title).text.wrappedValue }

    /// Moves the focus into a field.
    func focuses(field title: String) throws {
        var node: Node? = try field(title).node
        while let current = node {
            if case .modifier(.focus(_, let focus)) = current.kind {
                focus()
                display.render()
                return try check()
            }
            node = current.parent
        }
        throw Unexpected("'\(title)' can't have the focus")
    }

    /// Presses the return key of a field.
    func submits(_ title: String) throws {
        var node: Node? = try field(title).node
        while let current = node {
            if case .modifier(.submit(let action)) = current.kind {
                action()
                display.render()
                return try check()
            }
            node = current.parent
        }
        throw Unexpected("the return key of '\(title)' does nothing")
    }

    /// Chooses files, where the screen lets the system ask for them.
    func chooses(files: [URL]) throws {
        for node in display.nodes {
            if case .modifier(.importer(let isPresented, let action)) = node.kind, isPresented.wrappedValue {
                isPresented.wrappedValue = false
                action(.success(files))
                display.render()
                return try check()
            }
        }
        throw Unexpected("no files can be chosen")
    }

    /// Picks a time.
    func picks(_ time: Date) throws {
        for node in display.nodes {
            if case .datePicker(_, let binding) = node.kind {
                binding.wrappedValue = time
                display.render()
                return try check()
            }
        }
        throw Unexpected("no date can be picked")
    }

    /// Goes back from the message to the list, or from the second of three columns to the first.
    func goesBack() throws {
        for node in display.nodes {
            if case .split(let column) = node.kind {
                let hasMiddle = node.children.contains { $0.role == .middle }
                column.wrappedValue = hasMiddle && column.wrappedValue == .detail ? .content : .sidebar
                display.render()
                return try check()
            }
        }
        throw Unexpected("there is no way back")
    }

    // MARK: - Keys

    /// Moves the focus to the row with a text.
    func focuses(_ text: String) throws {
        for node in try row(text).all {
            if case .modifier(.focus(_, let focus)) = node.kind {
                focus()
                display.render()
                return try check()
            }
        }
        throw Unexpected("'\(text)' can't have the focus")
    }

    /// The texts of the view that has the focus.
    var focused: [String] { focusedNode?.touches.map(\.text) ?? [] }

    private var focusedNode: Node? {
        display.nodes.first { node in
            if case .modifier(.focus(let isFocused, _)) = node.kind { isFocused() } else { false }
        }
    }

    /// Presses a key: what has the focus, or a view around it, handles it.
    func presses(_ key: KeyEquivalent) throws {
        var node = focusedNode
        while let current = node {
            if case .modifier(.key(key, let action)) = current.kind, action() == .handled {
                display.render()
                return try check()
            }
            node = current.parent
        }
        throw Unexpected("no view handles the key; the screen has \(texts)")
    }

    /// Presses the keys of a button's shortcut.
    func presses(_ key: KeyEquivalent, _ modifiers: EventModifiers) throws {
        let nodes = display.root.all.filter { node in
            if case .modifier(.shortcut(key, modifiers)) = node.kind { true } else { false }
        }
        guard let node = nodes.first else { throw Unexpected("no button has this shortcut") }
        try activate(nil, of: node.elements)
    }

    // MARK: - Hearing

    /// Activates an element by its label, as a screen reader does, or one of its actions.
    func activates(_ label: String, action: String? = nil) throws {
        guard let element = elements.first(where: { $0.label == label }) else {
            throw Unexpected("no element is named '\(label)': \(elements.map(\.label))")
        }
        try activate(action ?? label, of: action == nil ? [element] : element.actions)
    }
}

extension Person {
    /// The web views on the screen.
    var webViews: [HTMLWebView] {
        display.nodes.compactMap { node in
            if case .platform = node.kind { node.memory as? HTMLWebView } else { nil }
        }
    }

    /// The size of a text's font.
    func size(of text: String) -> Double? { fontName(of: text).flatMap { Double($0.prefix { $0 != " " }) } }

    /// The style of a text, or its size and weight.
    func fontName(of text: String) -> String? {
        let node = display.nodes.first { if case .text(text) = $0.kind { true } else { false } }
        return node?.environment.font?.name
    }

    /// The colors behind what is on the screen.
    var backgrounds: [Color] {
        display.nodes.flatMap { node -> [Color] in
            switch node.kind {
            case .color(let color): [color]
            case .gradient(let colors): colors
            default: []
            }
        }
    }
}

extension Node {
    /// Whether a label around this node names it.
    fileprivate func isLabelled(_ label: String) -> Bool {
        var node = parent
        while let current = node, case .modifier(let modifier) = current.kind {
            if case .label(label) = modifier { return true }
            node = current.parent
        }
        return false
    }
}

extension HTMLWebView {
    /// Whether the height of its document is known.
    var isMeasured: Bool { page != nil && intrinsicContentSize.height > 0 }
}
