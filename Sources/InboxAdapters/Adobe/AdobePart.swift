package import Foundation
package import Groundwork
package import InboxModel

/// The converted result of one item in a list of propositions.
package struct AdobePart: Sendable {
    /// The value to which an item is converted.
    package enum Content: Sendable {
        case message(AdaptedMessage)
        /// The settings of the named surface.
        case settings(InboxSettings, surface: String)
    }

    /// The index of the proposition in the list.
    package let index: Int
    /// The index of the item in the proposition. Nil if the proposition itself can't be read.
    package let item: Int?
    /// Adobe's id for the item, whatever else it contains. Empty if there is none.
    package let id: String
    /// The place in the item, if that is a ruleset.
    package let consequence: AdobeReading.Consequence?
    /// The location of the part of the rule's condition that couldn't be decided and counted as true.
    package let undecided: JSONPointer?
    /// The converted value, or the reason why the item can't be used.
    package let content: Result<Content, AdapterError>

    /// Reads propositions item by item, in the list's order.
    ///
    /// The dates of delivery sort the cards by rank: the lowest rank is the newest card. A card is delivered at its
    /// time of publication, or right after the next card in the order if that one was published later. Cards with equal
    /// ranks keep the order of the list.
    ///
    /// - Parameters:
    ///   - readers: The propositions.
    ///   - now: The current time, the latest time of delivery, but for cards whose condition holds later.
    ///   - importsUndecided: Whether a card is delivered if its condition can't be decided.
    package static func parts(of readers: [JSONReader], now: Date, importsUndecided: Bool = false) -> [AdobePart] {
        var found: [PendingItem] = []
        for (index, reader) in readers.enumerated() {
            do throws(AdapterError) {
                let origin = Origin(proposition: try AdobeProposition(reading: reader), location: reader.pointer)
                for reading in origin.proposition.readings {
                    found.append(
                        PendingItem(
                            index: index,
                            reading: reading,
                            of: origin,
                            now: now,
                            includesUndecided: importsUndecided
                        )
                    )
                }
            } catch {
                found.append(PendingItem(index: index, reading: nil, kind: .failure(error)))
            }
        }
        let times = deliveries(of: found, now: now)
        return found.enumerated().map { index, found in
            AdobePart(
                index: found.index,
                item: found.reading?.index,
                id: found.reading?.id ?? "",
                consequence: found.reading?.consequence,
                undecided: found.undecided,
                content: found.content(deliveredAt: times[index])
            )
        }
    }

    /// Returns the time of delivery of each card, by its index.
    private static func deliveries(of found: [PendingItem], now: Date) -> [Int: Date] {
        let cards = found.enumerated().compactMap { index, found in found.card.map { (index, $0.rank, $0.published) } }
        // The sort is stable.
        let ranked = cards.sorted { $0.1 < $1.1 }
        var times: [Int: Date] = [:]
        // Before the earliest date, but not before the year 1.
        let earliest = ranked.compactMap(\.2).min().map { min($0, now).milliseconds - ranked.count } ?? 0
        var next = max(earliest, -62_135_596_800_001)
        let undated = ranked.allSatisfy { $0.2 == nil }
        for (number, card) in ranked.enumerated().reversed() {
            let latest = now.milliseconds - number
            let own = card.2.map { min($0.milliseconds, latest) } ?? (undated ? latest : next + 1)
            next = max(own, next + 1)
            times[card.0] = Date(milliseconds: next)
        }
        return times
    }
}

/// The proposition that contains an item.
private struct Origin {
    let proposition: AdobeProposition
    /// The proposition's location in the document.
    let location: JSONPointer
}

/// An item whose time of delivery isn't determined yet.
private struct PendingItem {
    enum Kind {
        case card(AdobeCard, AdobeItem, Origin)
        case settings(AdobeInboxSettings, Origin)

        init(_ item: AdobeItem, of origin: Origin) throws(AdapterError) {
            switch item.schema {
            case .contentCard: self = .card(try AdobeCard(reading: item.dataReader), item, origin)
            case .inbox: self = .settings(try AdobeInboxSettings(reading: item.dataReader), origin)
            case .other:
                throw AdapterError(
                    .unknownKind,
                    at: item.schemaLocation,
                    "has to be \(AdobeItem.Schema.contentCard.rawValue) or \(AdobeItem.Schema.inbox.rawValue)"
                )
            }
        }

        /// Checks that an item can be imported with the period of its rule.
        ///
        /// - Throws: ``AdapterError`` with `notAcceptable` for a card that expires before it is shown, and for settings
        ///   outside of their period, since settings are neither delivered nor expire.
        func check(_ period: AdobeCondition.Period, at now: Date, _ location: JSONPointer) throws(AdapterError) {
            switch self {
            case .card(let card, _, _):
                guard let start = period.start, let expiry = card.expiryDate, expiry <= start else { return }
                throw AdapterError(.notAcceptable, at: location, "begins to hold when the card has expired")
            case .settings:
                guard period.start ?? now > now || period.end ?? .distantFuture <= now else { return }
                throw AdapterError(
                    .notAcceptable,
                    at: location,
                    "has to hold now: settings have no delivery and no expiry"
                )
            }
        }
    }

    let index: Int
    /// The reading of the item, or nil if the proposition itself can't be read.
    let reading: AdobeReading?
    let kind: Result<Kind, AdapterError>
    /// The period that the rule's condition leaves.
    private var period = AdobeCondition.Period()
    private(set) var undecided: JSONPointer?

    init(index: Int, reading: AdobeReading?, kind: Result<Kind, AdapterError>) {
        (self.index, self.reading, self.kind) = (index, reading, kind)
    }

    /// Reads an item and the condition of its rule.
    init(index: Int, reading: AdobeReading, of origin: Origin, now: Date, includesUndecided: Bool) {
        var (period, undecided): (AdobeCondition.Period, JSONPointer?) = (.init(), nil)
        let kind = reading.item.flatMap { item in
            Result { () throws(AdapterError) -> PendingItem.Kind in
                let kind = try Kind(item, of: origin)
                if let condition = reading.conditionReader {
                    (period, undecided) = try AdobeCondition(reading: condition)
                        .period(at: now, condition.pointer, includingUndecided: includesUndecided)
                    try kind.check(period, at: now, condition.pointer)
                }
                return kind
            }
        }
        self.init(index: index, reading: reading, kind: kind)
        (self.period, self.undecided) = (period, undecided)
    }

    var card: (rank: Int, published: Date?)? {
        guard case .success(.card(let card, _, let origin)) = kind else { return nil }
        return (origin.proposition.rank, card.publishedDate)
    }

    func content(deliveredAt: Date?) -> Result<AdobePart.Content, AdapterError> {
        kind.flatMap { kind in
            Result { () throws(AdapterError) -> AdobePart.Content in
                switch kind {
                case .card(let card, let item, let origin):
                    .message(
                        try card.adapted(
                            in: origin.proposition,
                            at: origin.location,
                            item,
                            deliveredAt: deliveredAt,
                            within: period
                        )
                    )
                case .settings(let settings, let origin):
                    .settings(try settings.adapted(), surface: origin.proposition.scope.normalized)
                }
            }
        }
    }
}
