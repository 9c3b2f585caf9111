import HTMLParsing

/// The cleaner's decision about an element of HTML by its name alone.
enum ElementRule: Sendable {
    /// The element stands in the output, perhaps under another name.
    case keep(CleanElement)
    /// The children stand in the element's place.
    case unwrap
    /// The element is removed with everything in it.
    case drop
    /// The element's raw text stands in the output as preformatted text.
    case preformatted

    private static let rules: [HTMLName: ElementRule] = {
        var rules: [HTMLName: ElementRule] = [:]
        func set(_ names: String, _ rule: ElementRule) {
            for text in names.split(separator: " ") {
                if let name = HTMLName(known: String(text)) { rules[name] = rule }
            }
        }
        for element in CleanElement.allCases { set(element.rawValue, .keep(element)) }
        set("acronym", .keep(.abbr))
        set("dir menu", .keep(.ul))
        set("fieldset legend marquee search dialog", .keep(.div))
        set("button data label output nobr blink", .keep(.span))
        set("listing", .keep(.pre))
        set("image", .keep(.img))
        set("xmp plaintext", .preformatted)
        set(
            """
            area base basefont bgsound datalist embed frame frameset head iframe input keygen link math meta noembed \
            noframes param script select selectedcontent source style svg template title track
            """,
            .drop
        )
        return rules
    }()

    /// The rule for an element of HTML. Elements without a rule are replaced by their children.
    static func rule(for name: HTMLName) -> ElementRule { rules[name] ?? .unwrap }
}
