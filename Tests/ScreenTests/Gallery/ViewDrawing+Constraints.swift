import Foundation

@testable import SwiftUI
@_spi(Running) import UIKit

/// Constraints as a grid's terms: views of one view lie over each other, or one below the other where a constraint
/// says so.
extension ViewDrawing {
    func arranged(_ views: [UIView], in parent: UIView) -> Box {
        var box = Box("div", class: "view")
        box.content = views.map { view in .box(placed(view, in: parent)) }
        return box
    }

    private func placed(_ view: UIView, in parent: UIView) -> Box {
        var box = box(of: view)
        var isTied: Set<NSLayoutConstraint.Attribute> = []
        for tie in view.placements {
            guard let other = tie.secondItem as? UIView else { continue }
            let isParent = other === parent
            // A hidden view keeps its place.
            guard isParent || parent.subviews.contains(where: { $0 === other }) else { continue }
            let space = tie.constant
            switch (tie.firstAttribute, tie.secondAttribute) {
            case (.top, .top) where isParent: box = box.style("margin-top", space)
            case (.bottom, .bottom) where isParent: box = box.style("margin-bottom", -space)
            case (.leading, .leading) where isParent: box = box.style("margin-inline-start", space)
            case (.trailing, .trailing) where isParent: box = box.style("margin-inline-end", -space)
            case (.centerY, .centerY) where isParent: break
            case (.top, .bottom):
                box = box.style("margin-top", space).style("grid-row", "\(line(of: view, in: parent))")
            case (.leading, .trailing):
                box = box.style("margin-inline-start", (other.fixedTrailing(in: parent) ?? 0) + space)
            case (.width, .width), (.height, .width): continue
            default:
                note(unknown: "constraint: \(tie.firstAttribute) to \(tie.secondAttribute)")
                continue
            }
            isTied.insert(tie.firstAttribute)
        }
        let fillsX = isTied.isSuperset(of: [.leading, .trailing])
        let fillsY = isTied.isSuperset(of: [.top, .bottom])
        if !box.styles.contains(where: { $0.name == "grid-row" }) {
            box = box.style("grid-row", isTied.contains(.bottom) || isTied.contains(.centerY) ? "1 / -1" : "1")
        }
        return box.style("grid-column", "1")
            .style("justify-self", fillsX ? "stretch" : isTied.contains(.trailing) ? "end" : "start")
            .style("align-self", fillsY ? "stretch" : isTied.contains(.centerY) ? "center" : "start")
    }

    /// The row of a grid: below the view that this one's top is tied to the bottom of.
    private func line(of view: UIView, in parent: UIView) -> Int {
        for tie in view.placements where tie.firstAttribute == .top && tie.secondAttribute == .bottom {
            if let above = tie.secondItem as? UIView, above !== parent { return line(of: above, in: parent) + 1 }
        }
        return 1
    }

    /// A box with the sizes that constraints give the view itself.
    func sized(_ box: Box, _ view: UIView) -> Box {
        var box = box
        for tie in view.placements {
            switch (tie.firstAttribute, tie.secondAttribute) {
            case (.width, .notAnAttribute):
                box = box.style(tie.relation == .equal ? "width" : "min-width", tie.constant)
                if tie.relation == .equal { box = box.style("flex", "none") }
            case (.height, .notAnAttribute):
                box = box.style(tie.relation == .equal ? "height" : "min-height", tie.constant)
            case (.height, .width) where tie.secondItem === view:
                box = box.style("aspect-ratio", "\(1 / Double(tie.multiplier))")
            case (.width, .width): box = box.style("width", "calc(100% - \(Box.length(-tie.constant)))")
            default: break
            }
        }
        return box
    }
}

extension UIView {
    /// The trailing edge, where constraints give it as a number.
    fileprivate func fixedTrailing(in parent: UIView) -> CGFloat? {
        let start = placements.first { $0.firstAttribute == .leading && $0.secondItem === parent }
        let width = placements.first { $0.firstAttribute == .width && $0.relation == .equal && $0.secondItem == nil }
        guard let start, let width else { return nil }
        return start.constant + width.constant
    }
}
