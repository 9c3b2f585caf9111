import Foundation

/// Simple glyphs in place of Apple's symbols, which can't be used elsewhere.
enum Symbol {
    /// The glyph of a symbol; nil for a name that has none.
    static func glyph(_ name: String) -> String? { glyphs[name] }

    /// A symbol as a picture that scales with the text around it. One without a glyph is a labelled box.
    static func box(_ name: String, size: CGFloat, color: String, label: String?) -> Box {
        var box: Box
        if let glyph = glyph(name) {
            box = Box("svg")
            box["viewBox"] = "0 0 24 24"
            box.content = [.markup(glyph)]
        } else {
            box = Box("span", class: "unknown", text: name)
        }
        if let label {
            box["role"] = "img"
            box["aria-label"] = label
        } else {
            box["aria-hidden"] = "true"
        }
        // A symbol is a little larger than a letter.
        let side = size * 1.25
        return box.style("color", color).style("width", side).style("height", side).style("flex", "none")
            .style("display", "block")
    }

    private static let circle = #"<circle cx="12" cy="12" r="9"/>"#
    private static let tray = #"<path d="M3 13 6 5h12l3 8v6H3zM3 13h5a4 4 0 0 0 8 0h5"/>"#

    private static let glyphs: [String: String] = [
        "tray": tray,
        "tray.fill": #"<path fill="currentColor" d="M3 13 6 5h12l3 8v6H3z"/>"#,
        "tray.and.arrow.down": #"<path d="M3 13v6h18v-6M12 3v11m-4-4 4 4 4-4"/>"#,
        "ellipsis.circle": circle + #"<path d="M8 12h.1M12 12h.1M16 12h.1"/>"#,
        "trash": #"<path d="M4 6h16M9 6V4h6v2M6 6l1 14h10l1-14M10 10v6M14 10v6"/>"#,
        "archivebox": #"<path d="M3 5h18v4H3zM5 9v10h14V9M10 13h4"/>"#,
        "envelope.open": #"<path d="M3 10v10h18V10L12 4zM3 10l9 6 9-6"/>"#,
        "envelope.badge":
            #"<path d="M3 7v12h18v-8M3 7l9 6 4-3M3 7h11"/><circle cx="19" cy="6" r="3" fill="currentColor"/>"#,
        "clock": circle + #"<path d="M12 7v5l3 2"/>"#,
        "arrow.clockwise": #"<path d="M19 12a7 7 0 1 1-2-5l3 2m0-5v5h-5"/>"#,
        "photo": #"<path d="M3 5h18v14H3zM3 16l5-5 5 5 3-3 5 4"/><circle cx="16" cy="9" r="1.5"/>"#,
        "xmark": #"<path d="M6 6l12 12M18 6 6 18"/>"#,
        "xmark.circle.fill": #"<circle cx="12" cy="12" r="9" fill="var(--second,#8e8e93)" stroke="none"/>"#
            + #"<path d="M9 9l6 6M15 9l-6 6"/>"#,
        "circle": circle,
        "checkmark.circle": circle + #"<path d="M8 12l3 3 5-6"/>"#,
        "checkmark.circle.fill":
            #"<circle cx="12" cy="12" r="9" fill="currentColor"/><path stroke="white" d="M8 12l3 3 5-6"/>"#,
        "wifi.slash": #"<path d="M3 9a13 13 0 0 1 18 0M6 13a8 8 0 0 1 12 0M9 16a4 4 0 0 1 6 0M12 19h.1M4 3l16 18"/>"#,
        "person.crop.circle.badge.exclamationmark":
            #"<circle cx="11" cy="12" r="8"/><circle cx="11" cy="10" r="3"/><path d="M6 18c2-4 8-4 10 0M21 3v5M21 11h.1"/>"#,
        "exclamationmark.triangle": #"<path d="M12 3 22 20H2zM12 9v6M12 17.500h.1"/>"#,
        "star": #"<path d="M12 3l2.8 6 6.2.7-4.6 4.3 1.3 6.5L12 17.2l-5.7 3.3 1.3-6.5L3 9.7 9.2 9z"/>"#,
        "star.fill":
            #"<path fill="currentColor" d="M12 3l2.8 6 6.2.7-4.6 4.3 1.3 6.5L12 17.2l-5.7 3.3 1.3-6.5L3 9.7 9.2 9z"/>"#,
        "star.slash": #"<path d="M12 3l2.8 6 6.2.7-4.6 4.3 1.3 6.5L12 17.2l-5.7 3.3 1.3-6.5L3 9.7 9.2 9zM3 3l18 18"/>"#,
        "paperclip": #"<path d="M18 9l-7.5 7.5a3 3 0 0 1-4-4L14 5a4.5 4.5 0 0 1 6 6.500l-8 8"/>"#,
        "paperplane": #"<path d="M3 11 21 3l-7 18-3-7zM11 14 21 3"/>"#,
        "folder": #"<path d="M3 6h6l2 3h10v10H3z"/>"#,
        "doc": #"<path d="M6 3h8l4 4v14H6zM14 3v4h4"/>"#,
        "xmark.bin": #"<path d="M4 6h16M6 6l1 14h10l1-14M10 10l4 5M14 10l-4 5"/>"#,
        "arrow.down.circle": circle + #"<path d="M12 7v9m-4-4 4 4 4-4"/>"#,
        "square.and.arrow.up": #"<path d="M8 10H5v11h14V10h-3M12 15V3M8 7l4-4 4 4"/>"#,
        "line.3.horizontal.decrease": #"<path d="M4 7h16M7 12h10M10 17h4"/>"#,
        "checkmark": #"<path d="M5 13l4 4L19 7"/>"#,
        "exclamationmark.circle": circle + #"<path d="M12 7v6M12 16.500h.1"/>"#,
        "tray.2": tray,
        "chevron.backward": #"<path d="M15 5l-7 7 7 7"/>"#,
        "square.and.pencil": #"<path d="M12 5H4v15h15v-8M9 15l1-4 9-9 3 3-9 9z"/>"#,
        "arrowshape.left": #"<path d="M12 5v4h9v6h-9v4l-9-7z"/>"#,
        "arrowshape.left.circle": circle + #"<path d="M12 8v2h5v4h-5v2l-5-4z"/>"#,
        "arrowshape.right": #"<path d="M12 5v4H3v6h9v4l9-7z"/>"#,
        "person.crop.circle": circle + #"<circle cx="12" cy="10" r="3"/><path d="M6 18c3-4 9-4 12 0"/>"#,
        "tray.and.arrow.up": #"<path d="M3 13v6h18v-6M12 14V3m-4 4 4-4 4 4"/>"#,
        "plus": #"<path d="M12 5v14M5 12h14"/>"#,
        "rectangle.portrait.and.arrow.right": #"<path d="M14 8V4H5v16h9v-4M10 12h11m-4-4 4 4-4 4"/>"#,
        "magnifyingglass": #"<circle cx="10" cy="10" r="6"/><path d="M15 15l6 6"/>"#,
    ]
}
