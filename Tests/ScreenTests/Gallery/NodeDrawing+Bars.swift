import Foundation

@testable import SwiftUI

/// What a screen's bars have, from the modifiers of the views on it.
private struct Bars {
    var title: String?
    var prompt: String?
    var leading: [Node] = []
    var trailing: [Node] = []
    /// Items behind the menu of the bar.
    var further: [Node] = []
}

extension NodeDrawing {
    func navigation(_ node: Node, _ around: Surroundings) -> Drawn {
        column(node.shown, back: nil, isLarge: true, around)
    }

    /// The columns side by side; on a narrow screen the one that covers the others, and the way back.
    func split(_ node: Node, _ around: Surroundings) -> Drawn {
        let columns = [Part.Role.sidebar, .middle, .detail].map { role in node.children.filter { $0.role == role } }
            .filter { !$0.isEmpty }
        if node.environment.isCompact {
            let shown = node.shown.first?.role
            let index = columns.firstIndex { $0.first?.role == shown } ?? 0
            let back = index == 0 ? nil : bars(of: columns[index - 1]).title ?? "Back"
            return column(columns[index], back: back, isLarge: index < columns.count - 1, around)
        }
        let boxes = columns.enumerated().map { index, nodes in
            let isLast = index == columns.count - 1
            var box = column(nodes, back: nil, isLarge: !isLast, around).box
            if isLast { return box.style("flex", "1 1 0px") }
            box["class"] = "column sidebar"
            return box.style("flex", "none").style(
                "width",
                columns.count == 2 ? "375px" : index == 0 ? "240px" : "360px"
            )
        }
        return Drawn(box: Box("div", class: "row columns", boxes), growsX: true, growsY: true)
    }

    private func column(_ nodes: [Node], back: String?, isLarge: Bool, _ around: Surroundings) -> Drawn {
        let bars = bars(of: nodes)
        var inner = around
        inner.isInNavigation = true
        var views = [Drawn(box: bar(bars, back: back, isLarge: isLarge, inner), growsX: true)]
        let isDark = nodes.first?.environment.colorScheme == .dark
        if isLarge, let title = bars.title {
            var heading = Box("div", class: "large title", text: title).style(
                "color",
                Color.primary.css(isDark: isDark)
            )
            heading["role"] = "heading"
            heading["aria-level"] = "2"
            views.append(Drawn(box: heading, growsX: true))
        }
        if let prompt = bars.prompt {
            let symbol = Symbol.box("magnifyingglass", size: 13, color: Color.secondary.css(isDark: isDark), label: nil)
            var text = Box("span", text: prompt).style("color", Color.secondary.css(isDark: isDark))
            text["data-system"] = ""
            views.append(Drawn(box: Box("div", class: "search", [symbol, text]), growsX: true))
        }
        // What doesn't fill the column is in its middle.
        var content = column(nodes.flatMap { draw($0, inner) }, stacking: nil).wrapped()
        (content.growsX, content.growsY, content.maxWidth) = (true, true, nil)
        return Drawn(box: column(views + [content], stacking: nil).box, growsX: true, growsY: true)
    }

    private func bar(_ bars: Bars, back: String?, isLarge: Bool, _ around: Surroundings) -> Box {
        var inner = around
        inner.isInBar = true
        inner.foreground = Color.accentColor
        var leading = bars.leading.flatMap { draw($0, inner) }
        let isDark = (bars.leading + bars.trailing + bars.further).first?.environment.colorScheme == .dark
        let tint = Color.accentColor.css(isDark: isDark)
        if let back {
            var text = Box("span", text: back).style("color", tint)
            text["data-system"] = ""
            var box = Box(
                "button",
                class: "button back",
                [Symbol.box("chevron.backward", size: 17, color: tint, label: nil), text]
            )
            box["type"] = "button"
            leading.insert(Drawn(box: box), at: 0)
        }
        var trailing = bars.trailing.flatMap { draw($0, inner) }
        let further = bars.further.flatMap { draw($0, inner) }
        if !further.isEmpty {
            trailing.append(Drawn(box: Symbol.box("ellipsis.circle", size: 17, color: tint, label: "More")))
        }
        let title = isLarge ? nil : bars.title
        return Box(
            "div",
            class: "bar",
            [
                row(leading, stacking: nil).box, Box("span", class: "title", text: title ?? ""),
                row(trailing, stacking: Stacking(axis: .horizontal, alignment: "center", spacing: 16)).box,
            ]
        )
    }

    /// What the views of a column ask of its bars.
    private func bars(of nodes: [Node]) -> Bars {
        var bars = Bars()
        for node in nodes { collect(node, into: &bars) }
        return bars
    }

    private func collect(_ node: Node, into bars: inout Bars) {
        switch node.kind {
        case .navigation, .split: return
        case .modifier(.title(let title)): bars.title = bars.title ?? title
        case .modifier(.search(_, let prompt)): bars.prompt = prompt
        case .modifier(.parts):
            for child in node.children {
                guard case .toolbar(let placement) = child.role else { continue }
                switch placement {
                case .cancellationAction: bars.leading.append(child)
                case .secondaryAction: bars.further.append(child)
                default: bars.trailing.append(child)
                }
            }
        default: break
        }
        for child in node.shown where child.role == .content { collect(child, into: &bars) }
    }
}
