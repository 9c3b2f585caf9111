/// The values that a declaration may have.
struct CSSProperty: Sendable {
    struct Kinds: OptionSet, Sendable {
        let rawValue: UInt16

        static let color = Kinds(rawValue: 1)
        /// A length or a percentage that isn't negative.
        static let length = Kinds(rawValue: 2)
        static let negative = Kinds(rawValue: 4)
        static let number = Kinds(rawValue: 8)
        static let picture = Kinds(rawValue: 16)
        static let family = Kinds(rawValue: 32)
        static let slash = Kinds(rawValue: 64)
        static let comma = Kinds(rawValue: 128)
        /// `min()` of two lengths (CSS Values 4, section 10.2).
        static let minimum = Kinds(rawValue: 256)
    }

    var kinds: Kinds
    /// The allowed keywords, in lowercase. `inherit` and `initial` are allowed besides.
    var keywords: Set<String>

    /// The allowed properties by their names. All others are dropped, among them those that move an element out of its
    /// place (`position`, `transform`, `z-index`), make text (`content`), or load or run something.
    static let all: [String: CSSProperty] = {
        var all: [String: CSSProperty] = [:]
        func add(_ names: String, _ kinds: Kinds, _ keywords: String = "") {
            let words = Set(keywords.split(separator: " ").map(String.init))
            for name in names.split(separator: " ") {
                all[String(name)] = CSSProperty(kinds: kinds, keywords: words)
            }
        }
        let lines = "none hidden dotted dashed solid double groove ridge inset outset"
        let widths = "thin medium thick"
        let places = "left right top bottom center"
        let repeats = "repeat no-repeat repeat-x repeat-y space round"
        let boxes = "border-box padding-box content-box"
        add("color", .color)
        add("background-color", .color)
        add("background-image", [.picture], "none")
        add("background-repeat", [], repeats)
        add("background-position", [.length, .negative], places)
        add("background-size", [.length], "cover contain auto")
        add("background-clip background-origin", [], boxes)
        add(
            "background",
            [.color, .length, .negative, .picture, .slash],
            "none cover contain auto scroll \(places) \(repeats) \(boxes)"
        )
        add("border-style border-top-style border-right-style border-bottom-style border-left-style", [], lines)
        add("border-width border-top-width border-right-width border-bottom-width border-left-width", .length, widths)
        add("border-color border-top-color border-right-color border-bottom-color border-left-color", .color)
        add(
            "border border-top border-right border-bottom border-left outline",
            [.color, .length],
            "\(lines) \(widths)"
        )
        add("border-radius", [.length, .slash])
        add(
            """
            border-top-left-radius border-top-right-radius border-bottom-left-radius border-bottom-right-radius \
            border-spacing padding padding-top padding-right padding-bottom padding-left
            """,
            .length
        )
        add("border-collapse", [], "collapse separate")
        add("box-shadow", [.color, .length, .negative, .comma], "none inset")
        add("box-sizing", [], "border-box content-box")
        add("margin margin-top margin-right margin-bottom margin-left", .length, "auto")
        let extents = "auto none min-content max-content"
        add("width", [.length, .minimum], extents)
        add("height min-width min-height max-width max-height", .length, extents)
        add("font-family", [.family, .comma])
        let sizes = "xx-small x-small small medium large x-large xx-large smaller larger"
        let styles = "normal italic oblique small-caps bold bolder lighter"
        add("font", [.family, .comma, .length, .number, .slash], "\(sizes) \(styles)")
        add("font-size", .length, sizes)
        add("font-style", [], "normal italic oblique")
        add("font-variant", [], "normal small-caps")
        add("font-weight", .number, "normal bold bolder lighter")
        add("line-height", [.length, .number], "normal")
        add("letter-spacing word-spacing", [.length, .negative], "normal")
        add("text-indent", [.length, .negative])
        add("text-align", [], "left right center justify start end")
        add(
            "text-decoration",
            [.color, .length],
            "none underline overline line-through solid double dotted dashed wavy"
        )
        add("text-decoration-color", .color)
        add("text-decoration-line", [], "none underline overline line-through")
        add("text-decoration-style", [], "solid double dotted dashed wavy")
        add("text-transform", [], "none capitalize uppercase lowercase")
        add("text-overflow", [], "clip ellipsis")
        add(
            "vertical-align",
            [.length, .negative],
            "baseline sub super top text-top middle bottom text-bottom"
        )
        add("white-space", [], "normal nowrap pre pre-wrap pre-line break-spaces")
        add("word-break", [], "normal break-all keep-all break-word")
        add("word-wrap overflow-wrap", [], "normal break-word anywhere")
        add("hyphens", [], "none manual auto")
        add("direction", [], "ltr rtl")
        add("float", [], "left right none")
        add("clear", [], "left right both none")
        add("visibility", [], "visible hidden collapse")
        add("opacity", .number)
        add("overflow overflow-x overflow-y", [], "visible hidden scroll auto")
        add("object-fit", [], "fill contain cover none scale-down")
        add("table-layout", [], "auto fixed")
        add("caption-side", [], "top bottom")
        add("empty-cells", [], "show hide")
        add("cursor", [], "auto default pointer text")
        let markers = """
            none disc circle square decimal decimal-leading-zero lower-roman upper-roman lower-alpha upper-alpha \
            lower-latin upper-latin lower-greek
            """
        add("list-style", [], "\(markers) inside outside")
        add("list-style-type", [], markers)
        add("list-style-position", [], "inside outside")
        add(
            "display",
            [],
            """
            none block inline inline-block list-item table inline-table table-row table-cell table-caption \
            table-column table-column-group table-row-group table-header-group table-footer-group
            """
        )
        return all
    }()

    /// The units of lengths that a value may have.
    static let units: Set<String> = ["px", "pt", "em", "rem", "ex", "ch", "pc", "cm", "mm", "in", "vw"]
}
