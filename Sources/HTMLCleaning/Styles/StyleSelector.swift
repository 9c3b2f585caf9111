import HTMLParsing

/// A selector whose answer can't change while a message is shown (Selectors 4): compounds of a type, classes, an id and
/// `:link`, joined by spaces and `>`.
struct StyleSelector: Sendable {
    /// The conditions that one element has to meet.
    struct Compound: Sendable {
        /// Nil for any type.
        var name: HTMLName?
        /// The numbers of the id and of the classes (``StyleNames``). The id is -1 if there is none.
        var id: Int32 = -1
        var classes: [Int32] = []
        /// Whether the element is an anchor with an address.
        var isLink = false
        /// Whether the element of the compound before this one is the parent, and not any ancestor.
        var hasParent = false

        func matches(_ element: StyledElement) -> Bool {
            (name.map { $0 == element.name } ?? true) && (id < 0 || id == element.id)
                && classes.allSatisfy(element.classes.contains) && (!isLink || element.isLink)
        }
    }

    /// From the last to the first, for an element is compared with the last.
    var compounds: [Compound] = []
    /// The ids, the classes and the types, one digit each (section 17).
    var specificity = 0

    /// Selectors with more compounds, and compounds with more classes, are left out.
    static let maximumCompounds = 16
    static let maximumClasses = 8

    /// Reads a selector, or returns nil if it has another part.
    init?(_ tokens: ArraySlice<CSSToken>, names: inout StyleNames) {
        var tokens = tokens.drop { $0 == .whitespace }
        while tokens.last == .whitespace { tokens.removeLast() }
        guard !tokens.isEmpty else { return nil }
        var (ids, classes, types) = (0, 0, 0)
        var current = Compound()
        var isEmpty = true
        while let token = tokens.popFirst() {
            switch token {
            case .ident(let text):
                guard isEmpty, let name = HTMLName(known: text.lowercased()) else { return nil }
                current.name = name
                types += 1
            case .delimiter(UInt8(ascii: "*")):
                guard isEmpty else { return nil }
            case .hash(let text):
                guard current.id < 0 else { return nil }
                current.id = names.number(of: text)
                ids += 1
            case .delimiter(UInt8(ascii: ".")):
                guard case .ident(let text)? = tokens.popFirst() else { return nil }
                guard current.classes.count < Self.maximumClasses else { return nil }
                current.classes.append(names.number(of: text))
                classes += 1
            case .delimiter(UInt8(ascii: ":")):
                guard case .ident(let text)? = tokens.popFirst() else { return nil }
                guard ["link", "any-link"].contains(text.lowercased()) else { return nil }
                current.isLink = true
                classes += 1
            case .whitespace, .delimiter(UInt8(ascii: ">")):
                var isParent = token != .whitespace
                while let next = tokens.first, next == .whitespace || next == .delimiter(UInt8(ascii: ">")) {
                    if next != .whitespace {
                        guard !isParent else { return nil }
                        isParent = true
                    }
                    tokens.removeFirst()
                }
                guard !isEmpty, compounds.count < Self.maximumCompounds else { return nil }
                compounds.append(current)
                current = Compound(hasParent: isParent)
                isEmpty = true
                continue
            default: return nil
            }
            isEmpty = false
        }
        guard !isEmpty else { return nil }
        compounds.append(current)
        compounds.reverse()
        specificity = min(ids, 999) * 1_000_000 + min(classes, 999) * 1_000 + min(types, 999)
    }

    /// Selects each anchor with an address, with a specificity below all others.
    static let links: StyleSelector = {
        var selector = StyleSelector()
        selector.compounds = [Compound(name: .a, isLink: true)]
        selector.specificity = -1
        return selector
    }()

    private init() {}

    /// Whether an element with its ancestors is selected.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - ancestors: Its ancestors, from the root to its parent.
    ///   - steps: The comparisons that are left. If there are none, the answer is no.
    func matches(_ element: StyledElement, in ancestors: [StyledElement], steps: inout Int) -> Bool {
        steps -= 1
        guard compounds[0].matches(element) else { return false }
        var place = 1
        var index = ancestors.count - 1
        // The place of the last compound that may have another ancestor, and the first of those.
        var other: (place: Int, index: Int)?
        while place < compounds.count {
            steps -= 1
            guard index >= 0, steps > 0 else { return false }
            let hasParent = compounds[place - 1].hasParent
            if compounds[place].matches(ancestors[index]) {
                if !hasParent { other = (place, index - 1) }
                place += 1
                index -= 1
            } else if !hasParent {
                index -= 1
            } else if let found = other {
                (place, index) = found
            } else {
                return false
            }
        }
        return true
    }
}

/// The ids and classes that style sheets name, as numbers.
struct StyleNames: Sendable {
    private var numbers: [String: Int32] = [:]
    /// Whether the case of letters doesn't matter, as in quirks mode (Selectors 4, sections 6.6 and 6.7).
    let ignoresCase: Bool

    init(ignoresCase: Bool) {
        self.ignoresCase = ignoresCase
    }

    mutating func number(of text: String) -> Int32 {
        let key = ignoresCase ? text.lowercased() : text
        if let number = numbers[key] { return number }
        let number = Int32(numbers.count)
        numbers[key] = number
        return number
    }

    /// The number of a name, or nil if no selector has it.
    func known(_ text: String) -> Int32? { numbers[ignoresCase ? text.lowercased() : text] }
}

/// An element of the message as selectors see it.
struct StyledElement: Sendable {
    let name: HTMLName
    var id: Int32 = -1
    var classes: [Int32] = []
    var isLink = false

    /// The number of classes that are compared with selectors.
    static let maximumClasses = 32

    init(_ name: HTMLName, _ attributes: [HTMLAttribute], names: StyleNames) {
        self.name = name
        for attribute in attributes where attribute.namespace == .none {
            switch attribute.name {
            case .id: id = names.known(attribute.value) ?? -1
            case .class:
                for word in attribute.value.utf8.split(whereSeparator: CleanText.isSpace) {
                    guard let number = names.known(String(Substring(word))), !classes.contains(number) else { continue }
                    classes.append(number)
                    if classes.count == Self.maximumClasses { break }
                }
            case .href: isLink = name == .a
            default: break
            }
        }
    }
}
