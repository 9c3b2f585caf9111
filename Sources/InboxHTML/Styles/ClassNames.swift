/// The class names of one kind of style.
///
/// A page has few styles, so the first ones are searched linearly. Further ones are looked up by hash.
struct ClassNames<Style: Hashable & Sendable>: Sendable {
    private var first: [(style: Style, name: String)] = []
    private var others: [Style: String] = [:]

    /// The number of styles that are searched linearly.
    private static var linearCount: Int { 12 }

    subscript(_ style: Style) -> String? {
        for index in first.indices where first[index].style == style { return first[index].name }
        return others.isEmpty ? nil : others[style]
    }

    /// Adds a style, which must not exist yet.
    mutating func add(_ style: Style, _ name: String) {
        if first.count < Self.linearCount {
            first.append((style, name))
        } else {
            others[style] = name
        }
    }
}
