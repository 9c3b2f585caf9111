import Foundation
import InboxMail

/// What a provider reads from.
@MainActor
struct ProviderSource<Object: INRecordObject> {
    typealias Record = Object.Record

    let provider:
        @MainActor (
            Predicate<Record>?, [SortDescriptor<Record>], Range<Int>, ModelProvider<Record>.CachePolicy
        ) -> ModelProvider<Record>
    let fetch: @MainActor (Query<Record>) async throws -> [Record]
    /// The one object for an id; nil where there is no such record any more.
    let object: @MainActor (String) async throws -> Object?
}

/// What a provider hears.
enum ProviderEvent: Sendable {
    /// There are other items in what is read from.
    case changed(ObjectIdentifier)
    /// Items came, went or moved in what is read from.
    case altered(ObjectIdentifier)
    /// Items have other content.
    case updated
    case failed(any Error)
    /// The server was asked.
    case fetched
}

/// Hears of the records, and puts it in line: to get hold of a model takes a moment, and nothing may overtake.
@MainActor
final class ProviderRelay<Record: Hashable & Sendable>: ModelProviderDelegate {
    nonisolated let events: AsyncStream<ProviderEvent>.Continuation

    init(events: AsyncStream<ProviderEvent>.Continuation) {
        self.events = events
    }

    func providerDataChanged(_ provider: ModelProvider<Record>) { events.yield(.changed(ObjectIdentifier(provider))) }

    func provider(_ provider: ModelProvider<Record>, dataAltered changes: ListChanges) {
        events.yield(.altered(ObjectIdentifier(provider)))
    }

    func provider(_ provider: ModelProvider<Record>, dataFetchFailed error: any Error) { events.yield(.failed(error)) }

    func providerDataFetchCompleted(_ provider: ModelProvider<Record>) { events.yield(.fetched) }
}
