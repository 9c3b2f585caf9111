import Foundation

@testable import SwiftUI

extension NodeDrawing {
    func button(_ node: Node, _ role: ButtonRole?, _ around: Surroundings) -> Drawn {
        var inner = around
        inner.label = nil
        let isPlain = around.buttonStyle is PlainButtonStyle
        let isProminent = around.buttonStyle is BorderedProminentButtonStyle
        if isProminent {
            inner.foreground = Color.white
        } else if !isPlain {
            inner.foreground = role == .destructive && !around.isInBar ? Color.red : Color.accentColor
        }
        let views = node.shown.filter { $0.role == .label }.flatMap { draw($0, inner) }
        var name = "button"
        if isProminent {
            name += " prominent"
        } else if around.buttonStyle is BorderedButtonStyle {
            name += " bordered"
        }
        return button(views, named: around.label ?? (around.isInBar ? labels(of: node).first : nil), name, node)
    }

    func menu(_ node: Node, _ around: Surroundings) -> Drawn {
        var inner = around
        inner.foreground = Color.accentColor
        let views = node.shown.filter { $0.role == .label }.flatMap { draw($0, inner) }
        return button(views, named: around.label ?? labels(of: node).first, "button", node)
    }

    /// What hands a file to another app.
    func share(_ node: Node, _ around: Surroundings) -> Drawn {
        var inner = around
        inner.foreground = Color.accentColor
        let views = node.shown.filter { $0.role == .label }.flatMap { draw($0, inner) }
        return button(views, named: around.label ?? labels(of: node).first, "button", node)
    }

    private func button(_ views: [Drawn], named label: String?, _ name: String, _ node: Node) -> Drawn {
        var box = Box("button", class: name, [row(views, stacking: nil).placed(in: .cell(.center))])
        box["type"] = "button"
        if let label { box["aria-label"] = label }
        if !node.environment.isEnabled { box["disabled"] = "" }
        return Drawn(box: box, growsX: views.contains(where: \.growsX))
    }

    /// The texts of a node's label.
    func labels(of node: Node) -> [String] {
        node.children.filter { $0.role == .label }.flatMap(\.elements).map(\.label)
    }

    /// A symbol and a title; in a bar the symbol alone.
    func label(_ node: Node, _ around: Surroundings) -> Drawn {
        let views = contents(node, around)
        if around.isInBar, let symbol = views.first { return symbol }
        return row(views, stacking: nil)
    }

    func picker(_ node: Node, _ selection: AnyHashable, _ around: Surroundings) -> Drawn {
        guard around.pickerStyle is SegmentedPickerStyle else { return unknown("picker") }
        let segments = options(of: node).map { option in
            let views = draw(option.node, Surroundings(weight: .medium)).map { view in
                var view = view
                view.box = view.box.style("font-size", 13).style("white-space", "nowrap")
                return view
            }
            let isSelected = option.tag == selection
            var box = Box("span", class: isSelected ? "segment selected" : "segment", views.map(\.box))
            if isSelected { box["aria-current"] = "true" }
            return box
        }
        return Drawn(box: Box("div", class: "segments", segments), growsX: true)
    }

    private func options(of node: Node) -> [(node: Node, tag: AnyHashable)] {
        node.children.flatMap { child in
            if case .modifier(.tag(let tag)) = child.kind { [(child, tag)] } else { options(of: child) }
        }
    }
}
