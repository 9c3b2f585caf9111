import Foundation

@testable import SwiftUI

extension NodeDrawing {
    func modified(_ node: Node, _ modifier: Modifier, _ around: Surroundings) -> [Drawn] {
        var inner = around
        switch modifier {
        case .look(let look): return looking(node, look, around)
        case .parts: return parted(node, around)
        case .sheet: return contents(node, around) + sheet(node, around)
        case .label(let label): inner.label = around.label ?? label
        case .traits(let traits): inner.isHeader = around.isHeader || traits.contains(.isHeader)
        case .badge(let count): return contents(node, around) + badge(count)
        case .title, .search:
            if !around.isInNavigation { return [unknown("a title or search outside of a navigation")] }
        // They change what the view does.
        case .environment, .id, .tag, .disabled, .tap, .appear, .disappear, .task, .change, .geometry, .focus, .key,
            .shortcut, .submit, .importer, .preview:
            break
        case .element(let children) where children == .ignore:
            guard let label = around.label else { break }
            inner.label = nil
            return contents(node, inner).map { named($0, label, isPicture: node.touches.isEmpty) }
        // They change what a screen reader says.
        case .value, .hidden, .element, .accessibilityAction: break
        }
        return contents(node, inner)
    }

    private func looking(_ node: Node, _ look: Look, _ around: Surroundings) -> [Drawn] {
        var inner = around
        let isDark = node.environment.colorScheme == .dark
        switch look {
        case .frame(let frame): return contents(node, around).map { framed($0, frame) }
        case .padding(let insets):
            return contents(node, around).map { view in
                var outer = view.wrapped()
                outer.box = outer.box.style(
                    "padding",
                    [insets.top, insets.trailing, insets.bottom, insets.leading].map(Box.length).joined(separator: " ")
                )
                if let maxWidth = view.maxWidth { outer.maxWidth = maxWidth + insets.leading + insets.trailing }
                return outer
            }
        case .clip(let outline):
            return contents(node, around).map { view in
                var outer = view.wrapped()
                outer.box = outer.box.style("overflow", "hidden").style("border-radius", Self.radius(outline))
                return outer
            }
        case .border(let color, let width):
            return contents(node, around).map { view in
                var outer = view.wrapped()
                outer.box = outer.box.style("border", "\(Box.length(width)) solid \(style(color, isDark))")
                return outer
            }
        case .aspectRatio(let ratio, _):
            guard let ratio else { break }
            return contents(node, around).map { view in
                var outer = view.wrapped()
                outer.box = outer.box.style("aspect-ratio", "\(Double(ratio))")
                outer.growsY = false
                return outer
            }
        case .fill(let style): inner.foreground = style
        case .foreground(let styles):
            // The first level of the style around is that style.
            if styles.first as? HierarchicalShapeStyle != .primary {
                inner.foreground = styles.first ?? around.foreground
            }
            inner.second = styles.dropFirst().first
        case .fontWeight(let weight): inner.weight = weight
        case .alignment(let alignment): inner.alignment = alignment
        case .lineLimit(let limit): inner.lineLimit = limit
        case .buttonStyle(let style): inner.buttonStyle = style
        case .listStyle(let style): inner.listStyle = style
        case .pickerStyle(let style): inner.pickerStyle = style
        case .listBackground(let visibility): inner.hidesListBackground = visibility == .hidden
        // A text reads its font from the environment.
        case .font, .rowInsets, .rowSeparator, .rowBackground, .ignoresSafeArea, .behavior: break
        }
        return contents(node, inner)
    }

    /// A view that is one element for a screen reader.
    private func named(_ view: Drawn, _ label: String, isPicture: Bool) -> Drawn {
        var outer = view.wrapped()
        outer.box["role"] = isPicture ? "img" : "group"
        outer.box["aria-label"] = label
        return outer
    }

    private func framed(_ view: Drawn, _ frame: Frame) -> Drawn {
        var outer = view.wrapped(frame.alignment)
        if let width = frame.width {
            outer.box = outer.box.style("width", width).style("flex", "none")
            (outer.growsX, outer.maxWidth) = (false, nil)
        } else if let maxWidth = frame.maxWidth {
            outer.growsX = true
            outer.maxWidth = maxWidth.isFinite ? maxWidth : nil
        }
        if let height = frame.height {
            outer.box = outer.box.style("height", height)
            outer.growsY = false
        } else if let maxHeight = frame.maxHeight {
            if maxHeight.isFinite {
                outer.box = outer.box.style("max-height", maxHeight).style("overflow", "hidden")
            } else {
                outer.growsY = true
            }
        }
        outer.box = outer.box.style("min-width", frame.minWidth).style("min-height", frame.minHeight)
        return outer
    }

    /// A view with others behind, over or beside it.
    private func parted(_ node: Node, _ around: Surroundings) -> [Drawn] {
        let views = contents(node, around)
        return views.map { view in
            var outer = view
            for part in node.shown {
                switch part.role {
                case .background(let alignment):
                    outer = layer(part, over: outer, alignment, "layer behind", around)
                case .overlay(let alignment): outer = layer(part, over: outer, alignment, "layer", around)
                case .inset(let edge):
                    let inset = draw(part, around)
                    if inset.isEmpty { continue }
                    outer = column(edge == .top ? inset + [outer] : [outer] + inset, stacking: nil)
                case .toolbar where !around.isInNavigation: outer = unknown("a toolbar outside of a navigation")
                default: break
                }
            }
            return outer
        }
    }

    private func layer(
        _ part: Node,
        over view: Drawn,
        _ alignment: Alignment,
        _ name: String,
        _ around: Surroundings
    ) -> Drawn {
        var around = around
        around.label = nil
        let views = draw(part, around)
        if views.isEmpty { return view }
        let reachesEdges = part.all.contains {
            if case .modifier(.look(.ignoresSafeArea)) = $0.kind { true } else { false }
        }
        let layer = Box(
            "div",
            class: reachesEdges ? name + " edge" : name,
            views.map { $0.placed(in: .cell(alignment)) }
        )
        var outer = view.wrapped()
        outer.box["class"] = "cell layered"
        outer.box.content = name == "layer" ? outer.box.content + [.box(layer)] : [.box(layer)] + outer.box.content
        return outer
    }

    private func sheet(_ node: Node, _ around: Surroundings) -> [Drawn] {
        node.shown.filter { $0.role == .sheet }.map { part in
            var box = column(draw(part, Surroundings()), stacking: nil).box
            box["class"] = "column sheet"
            return Drawn(box: box, growsX: true)
        }
    }

    /// A badge is shown by the bar of tabs that an app has the view in.
    private func badge(_ count: Int) -> [Drawn] {
        count == 0
            ? [] : [Drawn(box: Box("div", class: "hint", text: "Badge of the app’s tab: \(count)"), growsX: true)]
    }
}
