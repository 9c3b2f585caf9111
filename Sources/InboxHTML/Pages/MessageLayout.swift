import HTMLParsing

/// The layout of a message, as far as the page needs it before the browser has shown the message.
struct MessageLayout: Equatable {
    /// The widths for which the message may look different. It has style sheets with media queries, or only `.wide`.
    let widths: [MessageHTML.Width]
    /// The height in `rem` that a frame for the message begins with, from 10 to 48.
    ///
    /// What is in the frame can't say how high it is. So lines of text, ends of blocks and pictures are counted, rather
    /// too many than too few. What is higher scrolls.
    let height: Int

    init(_ html: String) {
        let tree = HTMLParser.parse(html)
        var (letters, blocks, pictures, hasQueries) = (0, 0, 0, false)
        var node = tree.node(after: tree.root, within: tree.root)
        while let current = node {
            let name = tree.name(of: current)
            if name == .style, let text = tree.firstChild(of: current) {
                hasQueries = hasQueries || tree.withUTF8(of: text, Self.hasQueries)
            }
            if name == .img { pictures += 1 }
            if let name, Self.blocks.contains(name) { blocks += 1 }
            if tree.kind(of: current) == .text { letters += tree.withUTF8(of: current) { Self.length($0) } }
            node = tree.node(
                after: current,
                within: tree.root,
                skippingDescendants: name.map(Self.unseen.contains) ?? false
            )
        }
        widths = hasQueries ? [.wide, .narrow] : [.wide]
        height = min(48, max(10, 5 + 2 * (letters / 40 + blocks) + 16 * pictures))
    }

    private static let blocks: Set<HTMLName> = [
        .p, .div, .br, .tr, .li, .h1, .h2, .h3, .h4, .h5, .h6, .hr, .blockquote, .pre,
    ]
    private static let unseen: Set<HTMLName> = [.style, .script, .title, .template]

    /// Whether a style sheet has `@media`, in any case.
    private static func hasQueries(_ sheet: UnsafeBufferPointer<UInt8>) -> Bool {
        sheet.indices.contains { index in
            sheet[index] == UInt8(ascii: "@")
                && sheet[index...].dropFirst().prefix(5).elementsEqual("media".utf8) { $0 | 0x20 == $1 }
        }
    }

    /// The number of letters without white space.
    private static func length(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        text.count { $0 > 0x20 && $0 & 0xC0 != 0x80 }
    }
}
