import Foundation

@testable import SwiftUI

/// A view as it is drawn: an element, and which of its sizes take what is offered.
struct Drawn {
    var box: Box
    var growsX = false
    var growsY = false
    /// The width up to which it grows; nil for any.
    var maxWidth: CGFloat?
    var isSpacer = false

    /// How a view lies in the one around it.
    enum Place {
        case row, column
        /// One over the other.
        case cell(Alignment)
    }

    /// The element in the one around it.
    func placed(in place: Place) -> Box {
        switch place {
        case .row:
            let basis = growsX ? "1 1 \(maxWidth.map(Box.length) ?? "0px")" : "0 1000 auto"
            return box.style("flex", isFixed ? nil : basis).style("align-self", growsY ? "stretch" : nil)
                .style("max-width", growsX ? maxWidth.map(Box.length) : nil)
        case .column:
            return box.style("flex", growsY ? "1 1 auto" : nil).style("width", growsX ? "100%" : nil)
                .style("max-width", maxWidth.map(Box.length) ?? "100%")
        case .cell(let alignment):
            return box.style("grid-area", "1/1")
                .style("justify-self", growsX && maxWidth == nil ? "stretch" : alignment.justification)
                .style("align-self", growsY ? "stretch" : alignment.elevation)
                .style("width", growsX ? "100%" : nil).style("max-width", maxWidth.map(Box.length) ?? "100%")
        }
    }

    private var isFixed: Bool { box.styles.contains { $0.name == "flex" } }

    /// A box around the view that has its sizes.
    func wrapped(_ alignment: Alignment = .center) -> Drawn {
        var outer = self
        outer.box = Box("div", class: "cell", [placed(in: .cell(alignment))])
        outer.isSpacer = false
        return outer
    }
}

extension Alignment {
    /// Across, in the words of a grid.
    var justification: String {
        switch self {
        case .leading, .topLeading, .bottomLeading: "start"
        case .trailing, .topTrailing, .bottomTrailing: "end"
        default: "center"
        }
    }

    /// Up and down, in the words of a grid.
    var elevation: String {
        switch self {
        case .top, .topLeading, .topTrailing: "start"
        case .bottom, .bottomLeading, .bottomTrailing: "end"
        default: "center"
        }
    }
}

extension ColorParts {
    /// The color in CSS.
    var css: String {
        func byte(_ part: Double) -> Int { Int((part * 255).rounded()) }
        return "rgba(\(byte(red)),\(byte(green)),\(byte(blue)),\(opacity))"
    }
}

extension Color {
    func css(isDark: Bool) -> String { (isDark ? dark : light).css }
}
