import Foundation
import HTMLCleaning
import HTMLViews

@testable import SwiftUI

/// Draws the tree of a display as HTML: each element is one of the tree's nodes, or what the system draws around it.
@MainActor
final class NodeDrawing {
    /// What the modifiers around a view say of it.
    struct Surroundings {
        var foreground: (any ShapeStyle)?
        var second: (any ShapeStyle)?
        var weight: Font.Weight?
        var alignment: TextAlignment?
        var lineLimit: Int?
        var buttonStyle: (any PrimitiveButtonStyle)?
        var listStyle: (any ListStyle)?
        var hidesListBackground = false
        var pickerStyle: (any PickerStyle)?
        /// The label for a screen reader.
        var label: String?
        var isHeader = false
        /// Whether the view is in a bar, where a label is its symbol.
        var isInBar = false
        var isInNavigation = false
    }

    /// Names of what couldn't be drawn. Each is a labelled box on the page.
    private(set) var unknown: [String] = []

    /// The screen of a display.
    func screen(of display: Display) -> Box {
        column(draw(display.root, Surroundings()), stacking: nil).wrapped().box
    }

    func unknown(_ what: String) -> Drawn {
        unknown.append(what)
        return Drawn(box: Box("span", class: "unknown", text: what))
    }

    // MARK: - Nodes

    /// What a node draws: nothing, a view, or several for the stack around it.
    func draw(_ node: Node, _ around: Surroundings) -> [Drawn] {
        let isDark = node.environment.colorScheme == .dark
        switch node.kind {
        case .composite, .group: return contents(node, around)
        case .stack(let stacking), .lazyStack(let stacking): return [stack(contents(node, around), stacking)]
        case .label: return [label(node, around)]
        case .list: return [list(node, around)]
        case .scroll(let axes): return [scroll(node, axes, around)]
        case .navigation: return [navigation(node, around)]
        case .split: return [split(node, around)]
        case .text(let text): return [draw(text, node.environment, around)]
        case .image(let name, let isResizable): return [image(name, isResizable, node.environment, around)]
        case .picture: return contents(node, around)
        case .progress(nil): return [progress(around)]
        case .progress(let fraction?): return [progress(fraction, around)]
        case .share: return [share(node, around)]
        case .spacer: return [Drawn(box: Box(), growsX: true, growsY: true, isSpacer: true)]
        case .shape(let outline): return [shape(outline, style(around.foreground, isDark))]
        case .color(let color): return [shape(.rectangle, color.css(isDark: isDark))]
        case .gradient(let colors):
            let list = colors.map { $0.css(isDark: isDark) }.joined(separator: ",")
            return [shape(.rectangle, "linear-gradient(\(list))")]
        case .button(let role, _): return [button(node, role, around)]
        case .menu: return [menu(node, around)]
        case .picker(_, let selection, _): return [picker(node, selection(), around)]
        case .field(let title, let text, let isEditor):
            return [field(title, text.wrappedValue, isEditor: isEditor, node, around)]
        case .grid(let minimum): return [grid(contents(node, around), minimum)]
        case .datePicker(let title, _): return [unknown("date picker: \(title)")]
        case .platform: return [platform(node, around)]
        case .modifier(let modifier): return modified(node, modifier, around)
        }
    }

    func contents(_ node: Node, _ around: Surroundings) -> [Drawn] {
        node.shown.filter { $0.role == .content }.flatMap { draw($0, around) }
    }

    // MARK: - Stacks

    func stack(_ views: [Drawn], _ stacking: Stacking) -> Drawn {
        stacking.axis == .horizontal ? row(views, stacking: stacking) : column(views, stacking: stacking)
    }

    func row(_ views: [Drawn], stacking: Stacking?) -> Drawn {
        let box = Box("div", class: "row", views.map { $0.placed(in: .row) })
            .style("gap", stacking?.spacing ?? 8)
            .style("align-items", Self.flex(stacking?.alignment))
        return Drawn(
            box: box,
            growsX: views.contains(where: \.growsX),
            growsY: views.contains { $0.growsY && !$0.isSpacer }
        )
    }

    func column(_ views: [Drawn], stacking: Stacking?) -> Drawn {
        let box = Box("div", class: "column", views.map { $0.placed(in: .column) })
            .style("gap", stacking.map { $0.spacing ?? 8 } ?? 0)
            .style("align-items", Self.flex(stacking?.alignment))
        return Drawn(
            box: box,
            growsX: views.contains { $0.growsX && !$0.isSpacer },
            growsY: views.contains(where: \.growsY),
            // As wide as the widest.
            maxWidth: views.contains { $0.growsX && $0.maxWidth == nil } ? nil : views.compactMap(\.maxWidth).max()
        )
    }

    private static func flex(_ alignment: String?) -> String {
        switch alignment {
        case "leading", "top": "flex-start"
        case "trailing", "bottom": "flex-end"
        default: "center"
        }
    }

    func scroll(_ node: Node, _ axes: Axis.Set, _ around: Surroundings) -> Drawn {
        let views = contents(node, around)
        if axes.contains(.horizontal) {
            var box = row(views, stacking: Stacking(axis: .horizontal, alignment: "top", spacing: 0)).box
            box["class"] = "row across"
            box["tabindex"] = "0"
            box["role"] = "group"
            box["aria-label"] = "Scrolls to the side"
            return Drawn(box: box, growsX: true)
        }
        // What it has is as high as it is.
        let still = views.map { view in
            var view = view
            view.growsY = false
            return view
        }
        return Drawn(box: column(still, stacking: nil).box, growsX: true, growsY: true)
    }

    // MARK: - Leaves

    func draw(_ text: String, _ environment: EnvironmentValues, _ around: Surroundings) -> Drawn {
        let font = environment.font ?? .body
        var box = Box("span", class: "text", text: text)
            .style("font-size", font.size).style("font-weight", "\((around.weight ?? font.weight).value)")
            .style("font-style", font.isItalic ? "italic" : nil)
            .style("color", style(around.foreground, environment.colorScheme == .dark))
            .style("text-align", around.alignment.map { $0 == .leading ? "start" : $0 == .center ? "center" : "end" })
        if let limit = around.lineLimit {
            box = box.style("display", "-webkit-box").style("-webkit-box-orient", "vertical")
                .style("-webkit-line-clamp", "\(limit)").style("overflow", "hidden")
        }
        if around.isHeader {
            box["role"] = "heading"
            box["aria-level"] = "3"
        }
        if isSystems(around.foreground) { box["data-system"] = "" }
        return Drawn(box: box)
    }

    func image(_ name: String, _ isResizable: Bool, _ environment: EnvironmentValues, _ around: Surroundings) -> Drawn {
        let isDark = environment.colorScheme == .dark
        let color = style(around.foreground, isDark)
        if isResizable {
            var place = Box("div", class: "picture")
            if let label = around.label, !label.isEmpty {
                place["role"] = "img"
                place["aria-label"] = label
            }
            place.content = [.box(Symbol.box(name, size: 20, color: color, label: nil))]
            return Drawn(box: place, growsX: true, growsY: true)
        }
        let font = environment.font ?? .body
        if Symbol.glyph(name) == nil { unknown.append("symbol: \(name)") }
        let box = Symbol.box(name, size: font.size, color: color, label: around.label)
            .style("--second", around.second.map { style($0, isDark) })
        return Drawn(box: box.style("flex", "none"))
    }

    func shape(_ outline: Outline, _ fill: String) -> Drawn {
        Drawn(
            box: Box("div").style("background", fill).style("border-radius", Self.radius(outline)),
            growsX: true,
            growsY: true
        )
    }

    static func radius(_ outline: Outline) -> String? {
        switch outline {
        case .rectangle: nil
        case .circle, .capsule: "9999px"
        case .rounded(let radius): Box.length(radius)
        }
    }

    private func progress(_ around: Surroundings) -> Drawn {
        var box = Box("span", class: "progress")
        box["role"] = "img"
        box["aria-label"] = around.label ?? "In progress"
        return Drawn(box: box.style("flex", "none"))
    }

    private func platform(_ node: Node, _ around: Surroundings) -> Drawn {
        guard let view = node.memory as? HTMLWebView, let page = view.page else { return unknown("view: \(node.name)") }
        return Drawn(box: .document(page), growsX: true, growsY: true)
    }

    // MARK: - Colors

    func style(_ style: (any ShapeStyle)?, _ isDark: Bool) -> String {
        switch style {
        case nil: Color.primary.css(isDark: isDark)
        case let color as Color: color.css(isDark: isDark)
        case let level as HierarchicalShapeStyle:
            (level == .primary ? Color.primary : Color.secondary).css(isDark: isDark)
        case is Material: isDark ? "rgba(58,58,60,0.9)" : "rgba(242,242,247,0.95)"
        case let gradient as LinearGradient:
            "linear-gradient(\(gradient.colors.map { $0.css(isDark: isDark) }.joined(separator: ",")))"
        default:
            {
                unknown.append("style: \(style!)"); return "magenta"
            }()
        }
    }

    /// Whether a color is the system's choice, and not this package's.
    func isSystems(_ style: (any ShapeStyle)?) -> Bool {
        switch style {
        case let color as Color: color.name.first?.isLetter == true
        case let level as HierarchicalShapeStyle: level != .primary
        default: false
        }
    }
}

extension Box {
    /// A page of HTML in a frame in which nothing runs.
    @MainActor
    static func document(_ page: HTMLPage) -> Box {
        var box = Box("iframe")
        box["sandbox"] = ""
        box["title"] = page.title.isEmpty ? "Message" : page.title
        box["srcdoc"] = page.document.markup
        return box
    }
}
