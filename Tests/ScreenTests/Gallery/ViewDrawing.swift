import Foundation
import HTMLViews

@testable import SwiftUI
@_spi(Running) import UIKit

/// Draws the screens of UIKit as HTML: each element is one of the views, or the bar around them.
@MainActor
final class ViewDrawing {
    let isDark: Bool
    /// Names of what couldn't be drawn. Each is a labelled box on the page.
    private(set) var unknown: [String] = []

    init(isDark: Bool) { self.isDark = isDark }

    /// The topmost screen of a navigation controller, with the bar.
    func screen(of navigation: UINavigationController) -> Box {
        guard let top = navigation.topViewController else { return unknown("an empty navigation") }
        var bar: [Box] = []
        if navigation.viewControllers.count > 1 {
            let title = navigation.viewControllers.dropLast().last?.title ?? "Back"
            bar.append(button(title, symbol: "chevron.backward"))
        } else if let item = top.navigationItem.leftBarButtonItem {
            bar.append(button("\(item.systemItem)".capitalized, symbol: nil))
        }
        let title = Box("span", class: "title", text: top.title ?? "").style("color", css(.label))
        // What isn't moved below the bar begins under it.
        let isUnderBar = top.view.subviews.contains { view in
            !view.isHidden && (view as? UIScrollView)?.contentInsetAdjustmentBehavior == .never
        }
        return Box(
            "div",
            class: isUnderBar ? "column under" : "column",
            [
                Box("div", class: "bar", [Box("div", class: "row", bar), title, Box("div", class: "row")]),
                box(of: top.view).style("flex", "1 1 auto"),
            ]
        )
    }

    /// A view alone.
    func screen(of view: UIView) -> Box {
        Box(
            "div",
            class: "column",
            [
                Box("div", class: "cell", [box(of: view).style("justify-self", "start")]).style("padding", "16px")
                    .style("flex", "1 1 auto")
            ]
        )
    }

    private func unknown(_ what: String) -> Box {
        unknown.append(what)
        return Box("span", class: "unknown", text: what)
    }

    private func button(_ title: String, symbol: String?) -> Box {
        var text = Box("span", text: title).style("color", css(.systemBlue))
        text["data-system"] = ""
        let glyph = symbol.map { Symbol.box($0, size: 17, color: css(.systemBlue), label: nil) }
        var box = Box("button", class: "button back", [glyph, text].compactMap { $0 })
        box["type"] = "button"
        return box
    }

    // MARK: - Views

    /// A view and those below it.
    func box(of view: UIView) -> Box {
        var box: Box
        switch view {
        case let view as HTMLWebView:
            guard let page = view.page else { return unknown("an empty document") }
            box = .document(page).style("min-height", "\(Int(max(320, view.intrinsicContentSize.height)))px")
        case let label as UILabel: box = text(label)
        case let indicator as UIActivityIndicatorView: box = progress(indicator)
        case let button as UIButton: box = self.button(button)
        case let picture as UIImageView: box = self.picture(picture)
        case let stack as UIStackView: box = self.stack(stack)
        case let table as UITableView: box = self.table(table)
        default:
            guard Self.isPlain(view) else { return unknown("\(type(of: view))") }
            box = arranged(view.subviews.filter { !$0.isHidden }, in: view)
        }
        if let color = view.backgroundColor { box = box.style("background", css(color)) }
        if view.layer.cornerRadius > 0 { box = box.style("border-radius", view.layer.cornerRadius) }
        if view.clipsToBounds { box = box.style("overflow", "hidden") }
        return sized(box, view)
    }

    /// Whether a view is no more than what is in it.
    private static func isPlain(_ view: UIView) -> Bool {
        type(of: view) == UIView.self || view is UIScrollView || view is UITableViewCell || !view.subviews.isEmpty
    }

    private func text(_ label: UILabel) -> Box {
        var box = Box("span", class: "text", text: label.text ?? "")
            .style("font-size", label.font.pointSize).style("font-weight", label.font.css)
            .style("color", css(label.textColor))
        switch label.textAlignment {
        case .center: box = box.style("text-align", "center")
        case .left, .right, .justified: box = box.style("text-align", "\(label.textAlignment)")
        case .natural: break
        }
        if label.numberOfLines > 0 {
            box = box.style("display", "-webkit-box").style("-webkit-box-orient", "vertical")
                .style("-webkit-line-clamp", "\(label.numberOfLines)").style("overflow", "hidden")
        }
        if isSystems(label.textColor) || label.backgroundColor.map(isSystems) == true { box["data-system"] = "" }
        return box
    }

    private func progress(_ indicator: UIActivityIndicatorView) -> Box {
        guard indicator.isAnimating || !indicator.hidesWhenStopped else { return Box("span").style("display", "none") }
        var box = Box("span", class: indicator.style == .large ? "progress large" : "progress")
        box["role"] = "img"
        box["aria-label"] = "In progress"
        return box.style("color", indicator.color.map(css))
    }

    private func button(_ button: UIButton) -> Box {
        var row: [Box] = []
        if let image = button.currentImage {
            if Symbol.glyph(image.name) == nil { unknown.append("symbol: \(image.name)") }
            row.append(Symbol.box(image.name, size: 17, color: css(button.tintColor ?? .systemBlue), label: nil))
        }
        var text = Box("span", text: button.currentTitle ?? "").style("color", css(button.currentTitleColor))
        if let font = button.titleLabel?.font {
            text = text.style("font-size", font.pointSize).style("font-weight", font.css)
        }
        if isSystems(button.currentTitleColor) { text["data-system"] = "" }
        row.append(text)
        var box = arranged(button.subviews.filter { !$0.isHidden }, in: button)
        box.tag = "button"
        box["type"] = "button"
        box["class"] = "view button"
        // Nothing is measured: the width is what a button of its own kind adds to that of its content.
        button.layoutSubviews()
        let gap = (button.titleLabel?.frame.minX ?? 0) - (button.imageView?.frame.minX ?? 0)
        let room = (button.intrinsicContentSize.width - gap) / 2
        let content = Box("span", class: "row", row).style("grid-area", "1/1").style("place-content", "center")
            .style("gap", gap > 0 ? gap : nil)
            .style("margin-inline", room > 0 ? room : nil)
        box.content.insert(.box(content), at: 0)
        if !button.isEnabled { box["disabled"] = "" }
        return box
    }

    private func picture(_ view: UIImageView) -> Box {
        var box = Box("div", class: "picture bare")
        if let image = view.image, image.name.isEmpty {
            box = Box("div", class: "picture", [Symbol.box("photo", size: 20, color: css(.secondaryLabel), label: nil)])
        } else if let image = view.image {
            box.content = [
                .box(Symbol.box(image.name, size: 20, color: css(view.tintColor ?? .systemBlue), label: nil))
            ]
        }
        if view.isAccessibilityElement, let label = view.accessibilityLabel {
            box["role"] = "img"
            box["aria-label"] = label
        }
        return box
    }

    private func stack(_ stack: UIStackView) -> Box {
        let isRow = stack.axis == .horizontal
        let views = stack.arrangedSubviews.filter { !$0.isHidden }
        let boxes = views.map { view in
            let box = box(of: view)
            // A row shares its width among those without a width of their own.
            return isRow && !box.styles.contains { $0.name == "width" } ? box.style("flex", "1 1 0px") : box
        }
        return Box("div", class: isRow ? "row" : "column", boxes).style("gap", stack.spacing)
            .style("align-items", stack.alignment.css)
    }

    private func table(_ table: UITableView) -> Box {
        let rows = table.cells.map { cell in Box("li", class: "listed separated", [box(of: cell)]) }
        var list = Box("ul", class: "list plain", rows)
        if rows.isEmpty { list = Box("div") }
        return Box("div", class: "column", [list.style("width", "100%")])
    }

    // MARK: - Values

    func css(_ color: UIColor) -> String {
        let parts = color.parts(isDark: isDark).map(Double.init)
        return ColorParts(parts[0], parts[1], parts[2], parts[3]).css
    }

    /// Whether a color is the system's choice, and not this package's.
    private func isSystems(_ color: UIColor) -> Bool {
        [UIColor.secondaryLabel, .systemBlue, .systemRed].contains {
            $0.parts(isDark: isDark) == color.parts(isDark: isDark)
        }
    }

    func note(unknown what: String) { unknown.append(what) }
}

extension UIFont {
    fileprivate var css: String {
        switch weight {
        case .ultraLight: "200"
        case .thin: "200"
        case .light: "300"
        case .medium: "500"
        case .semibold: "600"
        case .bold: "700"
        case .heavy: "800"
        case .black: "900"
        default: "400"
        }
    }
}

extension UIStackView.Alignment {
    fileprivate var css: String {
        switch self {
        case .fill: "stretch"
        case .leading, .firstBaseline: "flex-start"
        case .center: "center"
        case .trailing, .lastBaseline: "flex-end"
        }
    }
}
