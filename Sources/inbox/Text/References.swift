/// Something that ids on the command line can mean.
protocol Referable: Identifiable where ID == String {
    /// What stands for it on one line.
    var headline: String { get }
    /// What it is called, and the command that lists them.
    static var noun: String { get }
    static var listing: String { get }
}

extension Referable {
    /// The last six characters of the id, as lists show it.
    ///
    /// The end of an id is random and short to type; commands take any ending that only one has.
    var shortID: String { String(id.suffix(6)) }
}

/// What ids on the command line mean.
struct References<Item: Referable> {
    /// What is on this device, newest first.
    let known: [Item]

    /// What ids or endings of ids name, each once, in the given order.
    ///
    /// - Throws: ``Failure`` for an ending that none has, or more than one.
    func resolve(_ references: [String]) throws -> [Item] {
        var found: [Item] = []
        for reference in references {
            let item = try resolve(reference)
            if !found.contains(where: { $0.id == item.id }) { found.append(item) }
        }
        return found
    }

    func knowsAll(_ references: [String]) -> Bool {
        references.allSatisfy { !matches($0).isEmpty }
    }

    private func resolve(_ reference: String) throws -> Item {
        let matches = matches(reference)
        switch matches.count {
        case 1: return matches[0]
        case 0:
            let text = "No \(Item.noun) on this device has the id \(quoted(reference))."
            guard !known.isEmpty else { throw Failure("\(text) There is none at all; see: \(Item.listing)") }
            throw Failure("\(text) The newest are:\n\(candidates(known, idLength: 6))")
        default:
            // As many characters as are needed to distinguish them.
            var length = max(6, reference.count + 1)
            while length < 64, Set(matches.map { $0.id.suffix(length) }).count < matches.count { length += 1 }
            throw Failure(
                """
                \(counted(matches.count, Item.noun)) have an id that ends in \(quoted(reference)). Which one?
                \(candidates(matches, idLength: length))
                """
            )
        }
    }

    private func matches(_ reference: String) -> [Item] {
        guard !reference.isEmpty else { return [] }
        if let exact = known.first(where: { $0.id == reference }) { return [exact] }
        return known.filter { $0.id.hasSuffix(reference) }
    }

    private func candidates(_ items: [Item], idLength: Int) -> String {
        items.prefix(5).map { item in "  \(item.id.suffix(idLength))  \(item.headline.cut(to: 60))" }
            .joined(separator: "\n")
    }

    private func quoted(_ text: String) -> String { "\"\(text.plainLine.cut(to: 40))\"" }
}
