import Foundation

@testable import SwiftUI

extension NodeDrawing {
    /// A field with its text, or with its title in grey if it is empty.
    func field(_ title: String, _ text: String, isEditor: Bool, _ node: Node, _ around: Surroundings) -> Drawn {
        let font = node.environment.font ?? .body
        let isDark = node.environment.colorScheme == .dark
        var box = Box(isEditor ? "textarea" : "input", class: "field")
            .style("font-size", font.size)
            .style("color", style(around.foreground, isDark))
        box["aria-label"] = around.label ?? title
        if isEditor {
            box.content = [.text(text)]
        } else {
            box["value"] = text
            box["placeholder"] = title
        }
        if !node.environment.isEnabled { box["disabled"] = "" }
        return Drawn(box: box, growsX: true, growsY: isEditor)
    }

    /// Cells side by side, as many as fit.
    func grid(_ views: [Drawn], _ minimum: CGFloat) -> Drawn {
        let box = Box("div", class: "grid", views.map { $0.wrapped(.leading).box })
            .style("grid-template-columns", "repeat(auto-fill,minmax(\(Box.length(minimum)),1fr))")
        return Drawn(box: box, growsX: true)
    }

    /// A bar of which a fraction is done.
    func progress(_ fraction: Double, _ around: Surroundings) -> Drawn {
        let percent = Int((min(max(fraction, 0), 1) * 100).rounded())
        var box = Box("div", class: "fraction", [Box("div").style("width", "\(percent)%")])
        box["role"] = "img"
        box["aria-label"] = around.label ?? "\(percent) percent"
        return Drawn(box: box, growsX: true)
    }
}
