import HTMLCleaning
import HTMLViews

@testable import SwiftUI

/// A text or picture on screen, and what a finger on it does.
@MainActor
struct Touch {
    let text: String
    var action: (() -> Void)?
    let isEnabled: Bool
}

extension Node {
    /// The texts and pictures on screen below this node, in order, and the labels of buttons.
    var touches: [Touch] {
        var touches: [Touch] = []
        collect(nil, nil, into: &touches)
        return touches
    }

    private func collect(_ action: (() -> Void)?, _ label: String?, into touches: inout [Touch]) {
        var (action, label) = (action, label)
        switch kind {
        case .text(let text), .image(let text, _): add(text, action, to: &touches)
        case .progress(nil): add("…", action, to: &touches)
        case .progress(let fraction?): add("\(Int((fraction * 100).rounded())) %", action, to: &touches)
        case .datePicker(let title, _): add(title, action, to: &touches)
        case .field(let title, let text, _):
            add(text.wrappedValue.isEmpty ? title : text.wrappedValue, action, to: &touches)
        case .modifier(.label(let text)): label = label ?? text
        case .modifier(.tap(let tap)): action = tap
        case .button(_, let press):
            action = press
            if let label { add(label, action, to: &touches) }
            label = nil
        case .platform:
            if let view = memory as? HTMLWebView { add(view.page?.document.markup ?? "", nil, to: &touches) }
        case .picker:
            for element in elements { add(element.label, element.activate, to: &touches) }
            return
        default: break
        }
        for child in shown {
            // A finger on what lies over or beside a view isn't on the view.
            let isInside = child.role == .content || child.role == .label
            child.collect(isInside ? action : nil, isInside ? label : nil, into: &touches)
        }
    }

    private func add(_ text: String, _ action: (() -> Void)?, to touches: inout [Touch]) {
        touches.append(Touch(text: text, action: action, isEnabled: environment.isEnabled))
    }

    /// This node and those on screen below it, the first of all first.
    var all: [Node] {
        var nodes: [Node] = []
        collectShown(into: &nodes)
        return nodes
    }

    /// The parts of this node and of those on screen below it with a role.
    func parts(_ role: Part.Role) -> [Node] { all.flatMap { $0.children.filter { $0.role == role } } }
}
