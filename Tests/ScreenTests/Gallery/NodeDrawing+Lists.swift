import Foundation

@testable import SwiftUI

extension NodeDrawing {
    func list(_ node: Node, _ around: Surroundings) -> Drawn {
        let isPlain = around.listStyle is PlainListStyle
        let shown = Set(node.all.map(ObjectIdentifier.init))
        let rows = node.rows.filter { shown.contains(ObjectIdentifier($0)) }
        var boxes: [Box] = []
        var isHinted = false
        for row in rows {
            let views = draw(row, around)
            if views.isEmpty { continue }
            let insets = row.rowInsets ?? EdgeInsets(top: 11, leading: 16, bottom: 11, trailing: 16)
            var box = Box(
                "li",
                class: row.hasSeparator ? "listed separated" : "listed",
                views.map { view in
                    view.placed(in: .cell(.leading))
                }
            )
            box = box.style(
                "padding",
                [insets.top, insets.trailing, insets.bottom, insets.leading].map(Box.length).joined(separator: " ")
            )
            if let color = row.rowBackground as? Color {
                box = box.style("background", color.css(isDark: row.environment.colorScheme == .dark))
            } else if let view = row.rowBackground {
                boxes.append(unknown("background of a row: \(type(of: view))").box)
            }
            boxes.append(box)
            // What is behind a swipe and a long touch is the same for each row.
            if !isHinted, let hint = hint(of: row) {
                isHinted = true
                boxes.append(Box("li", class: "hint", text: hint))
            }
        }
        let list = Box("ul", class: isPlain ? "list plain" : "list inset", boxes)
        let background = Box(
            "div",
            class: isPlain || around.hidesListBackground ? "column" : "column grouped",
            [list.style("width", "100%")]
        )
        return Drawn(box: background, growsX: true, growsY: true)
    }

    /// What is behind gestures on a row.
    private func hint(of row: Node) -> String? {
        func labels(_ role: Part.Role) -> String? {
            let labels = row.parts(role).flatMap(\.elements).map(\.label)
            return labels.isEmpty ? nil : labels.joined(separator: ", ")
        }
        let parts = [
            labels(.swipe(.leading)).map { "Swipe right: \($0)." },
            labels(.swipe(.trailing)).map { "Swipe left: \($0)." },
            labels(.contextMenu).map { "Touch for long: \($0)." },
        ]
        let known = parts.compactMap { $0 }
        return known.isEmpty ? nil : known.joined(separator: " ")
    }
}

extension Node {
    /// The modifiers directly around a row's view.
    private var looks: [Look] {
        guard case .modifier(let modifier) = kind else { return [] }
        let inner = children.filter { $0.role == .content }
        let below = inner.count == 1 ? inner[0].looks : []
        if case .look(let look) = modifier { return [look] + below }
        return below
    }

    fileprivate var rowInsets: EdgeInsets? {
        for look in looks { if case .rowInsets(let insets) = look { return insets } }
        return nil
    }

    fileprivate var rowBackground: (any View)? {
        for look in looks { if case .rowBackground(let view) = look { return view } }
        return nil
    }

    fileprivate var hasSeparator: Bool {
        for look in looks { if case .rowSeparator(let visibility) = look { return visibility != .hidden } }
        return true
    }
}
