/// Answers media queries (Media Queries 4, section 2): of the features, the width and the color scheme.
enum MediaQuery {
    /// Whether one of the queries of a list applies. A query with a part that isn't known doesn't.
    static func applies(_ tokens: ArraySlice<CSSToken>, to medium: HTMLMedium) -> Bool {
        if tokens.allSatisfy({ $0 == .whitespace }) { return true }
        return tokens.split(separator: .delimiter(UInt8(ascii: ",")), omittingEmptySubsequences: false)
            .contains { answer(to: $0, medium) ?? false }
    }

    /// Returns nil if a part of the query isn't known.
    private static func answer(to query: ArraySlice<CSSToken>, _ medium: HTMLMedium) -> Bool? {
        var words = query.filter { $0 != .whitespace }[...]
        var isNegated = false
        var applies = true
        if case .ident(let word)? = words.first {
            words.removeFirst()
            var type = word.lowercased()
            if type == "only" || type == "not" {
                isNegated = type == "not"
                guard case .ident(let word)? = words.popFirst() else { return nil }
                type = word.lowercased()
            }
            applies = type == "all" || type == "screen"
            if words.isEmpty { return applies != isNegated }
            guard isAnd(words.popFirst()) else { return nil }
        }
        while true {
            guard let feature = feature(&words, medium) else { return nil }
            applies = applies && feature
            if words.isEmpty { return applies != isNegated }
            guard isAnd(words.popFirst()) else { return nil }
        }
    }

    private static func isAnd(_ token: CSSToken?) -> Bool {
        if case .ident(let word)? = token { return word.lowercased() == "and" }
        return false
    }

    /// Reads a feature in its parentheses, such as `(max-width: 600px)`.
    private static func feature(_ words: inout ArraySlice<CSSToken>, _ medium: HTMLMedium) -> Bool? {
        guard words.popFirst() == .delimiter(UInt8(ascii: "(")), case .ident(let name)? = words.popFirst(),
            words.popFirst() == .delimiter(UInt8(ascii: ":")), let value = words.popFirst(),
            words.popFirst() == .delimiter(UInt8(ascii: ")"))
        else { return nil }
        switch (name.lowercased(), value) {
        case ("prefers-color-scheme", .ident(let scheme)):
            switch scheme.lowercased() {
            case "dark": return medium.isDark
            case "light": return !medium.isDark
            default: return nil
            }
        case ("max-width", _), ("max-device-width", _): return pixels(value).map { Double(medium.width) <= $0 }
        case ("min-width", _), ("min-device-width", _): return pixels(value).map { Double(medium.width) >= $0 }
        default: return nil
        }
    }

    private static func pixels(_ value: CSSToken) -> Double? {
        switch value {
        case .number(let number) where number.isZero: 0
        case .dimension(let number, unit: "px"): number.value
        case .dimension(let number, unit: "em"), .dimension(let number, unit: "rem"): number.value * 16
        default: nil
        }
    }
}
