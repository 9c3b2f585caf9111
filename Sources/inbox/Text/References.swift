/// An item that can be referenced by its id on the command line.
protocol Referenceable: Identifiable where ID == String {
    /// A description on one line.
    var headline: String { get }
    /// The noun for the item, and the command that lists all items.
    static var noun: String { get }
    static var listCommand: String { get }
}

extension Referenceable {
    /// The last six characters of the id, as lists show it.
    ///
    /// The end of an id is random and short to type. Commands accept any unique suffix.
    var shortID: String { String(id.suffix(6)) }

    /// Returns a subject in one line, otherwise the beginning of a text, otherwise a placeholder.
    static func headline(_ subject: String, _ snippet: String, ifEmpty placeholder: String) -> String {
        [subject, snippet].lazy.map(\.plainLine).first { !$0.isEmpty } ?? placeholder
    }
}

/// The items that ids on the command line can reference.
struct References<Item: Referenceable> {
    /// The items on this device, newest first.
    let known: [Item]

    /// Returns the items of ids or endings of ids, without duplicates, in the given order.
    ///
    /// - Throws: ``Failure`` for an ending that matches no item or several.
    func resolve(_ references: [String]) throws -> [Item] {
        let (found, failed) = resolveEach(references)
        if let first = failed.first { throw first.failure }
        return found
    }

    /// Returns the items of those ids or endings of ids that match one, without duplicates, and why the others don't,
    /// each in the given order.
    func resolveEach(_ references: [String]) -> (found: [Item], failed: [(reference: String, failure: Failure)]) {
        var found: [Item] = []
        var failed: [(reference: String, failure: Failure)] = []
        for reference in references {
            do throws(Failure) {
                let item = try resolve(reference)
                if !found.contains(where: { $0.id == item.id }) { found.append(item) }
            } catch {
                failed.append((reference, error))
            }
        }
        return (found, failed)
    }

    /// Returns the referenced items. If this device doesn't know one of them, it syncs once.
    ///
    /// - Parameters:
    ///   - known: Returns the items on this device that may be referenced.
    ///   - sync: Syncs, and returns the outcome, with the reason why the device isn't up to date, or nil.
    /// - Throws: ``Failure`` for an ending that matches no item or several, with the code `notLoggedIn` if the server
    ///   doesn't accept the login; the errors of the closures.
    static func find(
        _ references: [String],
        offline: Bool,
        among known: () async throws -> [Item],
        sync: () async throws -> (outcome: SyncOutcome, reason: String?)
    ) async throws -> [Item] {
        var items = References(known: try await known())
        var needsLogin = false
        if !items.containsAll(references), !offline {
            let (outcome, reason) = try await sync()
            if let reason { Output.note("inbox: Not up to date: \(reason).") }
            needsLogin = outcome.needsLogin
            items = References(known: try await known())
        }
        do {
            return try items.resolve(references)
        } catch let failure as Failure where needsLogin {
            throw Failure(failure.description, code: .notLoggedIn)
        }
    }

    func containsAll(_ references: [String]) -> Bool {
        references.allSatisfy { !matches($0).isEmpty }
    }

    private func resolve(_ reference: String) throws(Failure) -> Item {
        let matches = matches(reference)
        switch matches.count {
        case 1: return matches[0]
        case 0:
            let text = "No \(Item.noun) on this device has the id \(quoted(reference))."
            guard !known.isEmpty else { throw Failure("\(text) There are no \(Item.noun)s; see: \(Item.listCommand)") }
            throw Failure("\(text) The newest are:\n\(candidates(known, idLength: 6))")
        default:
            // As many characters as are needed to distinguish the matches.
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
