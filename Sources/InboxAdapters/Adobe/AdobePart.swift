package import Foundation
package import Groundwork
package import InboxModel

/// One item of a list of propositions, as ours.
package struct AdobePart: Sendable {
    /// What an item becomes.
    package enum Content: Sendable {
        case message(AdaptedMessage)
        /// The settings of the surface of that name.
        case settings(InboxSettings, surface: String)
    }

    /// The proposition's number in the list.
    package let index: Int
    /// The item's number in the proposition; nil where the proposition itself can't be read.
    package let item: Int?
    /// What the item becomes, or why it can't be used.
    package let content: Result<Content, AdapterError>

    /// Reads propositions, each item by itself, in the list's order.
    ///
    /// The cards count as delivered so that the newest is the one of the lowest rank: when they were published, unless
    /// the one that comes next was published later; then right after that one. Of the same rank, the first in the list
    /// comes first.
    ///
    /// - Parameters:
    ///   - readers: The propositions.
    ///   - now: After which nothing counts as delivered.
    package static func parts(of readers: [JSONReader], now: Date) -> [AdobePart] {
        var found: [Found] = []
        for (index, reader) in readers.enumerated() {
            do throws(AdapterError) {
                let origin = Origin(proposition: try AdobeProposition(reading: reader), place: reader.pointer)
                for (number, reading) in origin.proposition.readings.enumerated() {
                    let kind = reading.flatMap { item in
                        Result { () throws(AdapterError) -> Found.Kind in try Found.Kind(item, of: origin) }
                    }
                    found.append(Found(index: index, item: number, kind: kind))
                }
            } catch {
                found.append(Found(index: index, item: nil, kind: .failure(error)))
            }
        }
        let times = deliveries(of: found, now: now)
        return found.enumerated().map { place, found in
            AdobePart(index: found.index, item: found.item, content: found.content(deliveredAt: times[place]))
        }
    }

    /// When each card counts as delivered, by its place.
    private static func deliveries(of found: [Found], now: Date) -> [Int: Date] {
        let cards = found.enumerated().compactMap { place, found in found.card.map { (place, $0.rank, $0.published) } }
        // Sorting keeps the order of equal ones.
        let ranked = cards.sorted { $0.1 < $1.1 }
        var times: [Int: Date] = [:]
        // Below the earliest date, but not before the year 1.
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

/// What an item came with.
private struct Origin {
    let proposition: AdobeProposition
    /// Where that was in the document.
    let place: JSONPointer
}

/// An item before it is known when it counts as delivered.
private struct Found {
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
                    at: item.schemaPlace,
                    "has to be \(AdobeItem.Schema.contentCard.rawValue) or \(AdobeItem.Schema.inbox.rawValue)"
                )
            }
        }
    }

    let index: Int
    let item: Int?
    let kind: Result<Kind, AdapterError>

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
                        try card.adapted(in: origin.proposition, at: origin.place, item, deliveredAt: deliveredAt)
                    )
                case .settings(let settings, let origin):
                    .settings(try settings.adapted(), surface: origin.proposition.scope.normalized)
                }
            }
        }
    }
}
