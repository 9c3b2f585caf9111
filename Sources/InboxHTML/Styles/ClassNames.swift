/// The names of the classes of one kind of style.
///
/// A page has few styles, so they are looked at in turn; only where there are many they are looked up by their hash.
struct ClassNames<Style: Hashable & Sendable>: Sendable {
    private var first: [(style: Style, name: String)] = []
    private var others: [Style: String] = [:]

    /// How many are looked at in turn.
    private static var lookedAt: Int { 12 }

    subscript(_ style: Style) -> String? {
        for index in first.indices where first[index].style == style { return first[index].name }
        return others.isEmpty ? nil : others[style]
    }

    /// Adds a style that isn't there.
    mutating func add(_ style: Style, _ name: String) {
        if first.count < Self.lookedAt {
            first.append((style, name))
        } else {
            others[style] = name
        }
    }
}
