import HTMLParsing

/// The layout of a message, as far as the page needs it before the browser has shown the message.
struct MessageLayout: Equatable {
    /// The widths for which the message may look different. It has style sheets with media queries, or only `.wide`.
    let widths: [MessageHTML.Width]
    /// The height in `rem` that a frame for the message begins with in a wide view, from 5 to 48.
    ///
    /// The height is estimated, because the sandboxed document can't report it. A higher document scrolls.
    let height: Int
    /// The height that a frame begins with in a narrow view.
    let narrowHeight: Int

    init(_ html: String) {
        let tree = HTMLParser.parse(html)
        let hasQueries = tree.descendants(of: tree.root).contains { node in
            guard tree.isElement(node, .style), let text = tree.firstChild(of: node) else { return false }
            return tree.withUTF8(of: text, Self.hasQueries)
        }
        widths = hasQueries ? [.wide, .narrow] : [.wide]
        // The widths of the frame in a tablet's view and in a phone's.
        height = Self.height(of: tree, width: 600)
        narrowHeight = Self.height(of: tree, width: 300)
    }

    private static func height(of tree: HTMLTree, width: Double) -> Int {
        let pixels = MessageHeight.estimate(tree, width: width, limit: 48 * 16)
        return Int(min(48, max(5, pixels / 16)).rounded(.up))
    }

    /// Whether a style sheet has `@media`, in any case.
    private static func hasQueries(_ sheet: UnsafeBufferPointer<UInt8>) -> Bool {
        sheet.indices.contains { index in
            sheet[index] == UInt8(ascii: "@")
                && sheet[index...].dropFirst().prefix(5).elementsEqual("media".utf8) { $0 | 0x20 == $1 }
        }
    }
}
