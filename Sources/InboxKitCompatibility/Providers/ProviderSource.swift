import Foundation
import InboxMail

/// The source of a provider's records and models.
@MainActor
struct ProviderSource<Object: INRecordObject> {
    typealias Record = Object.Record

    let provider:
        @MainActor (
            Predicate<Record>?, [SortDescriptor<Record>], Range<Int>, LiveResults<Record>.CachePolicy
        ) -> LiveResults<Record>
    let fetch: @MainActor (Query<Record>) async throws -> [Record]
    /// Returns the unique object of an id; nil if the record doesn't exist any more.
    let object: @MainActor (String) async throws -> Object?
    /// Returns the properties that predicates in InboxKit's form can use.
    let properties: @MainActor () -> RecordCondition<Record>.Properties
}

/// An event that a provider handles.
enum ProviderEvent: Sendable {
    /// The items of the underlying provider were replaced.
    case changed(ObjectIdentifier)
    /// Items of the underlying provider were added, removed or moved.
    case altered(ObjectIdentifier)
    /// The content of items has changed.
    case updated
    case failed(any Error)
    /// The request to the server succeeded.
    case fetched
}

/// Receives the changes of the records and queues them as events: creating a model is asynchronous, and the order of
/// the changes has to be kept.
@MainActor
final class ProviderRelay<Record: Hashable & Sendable>: LiveResultsDelegate {
    nonisolated let events: AsyncStream<ProviderEvent>.Continuation

    init(events: AsyncStream<ProviderEvent>.Continuation) {
        self.events = events
    }

    func resultsDidReload(_ results: LiveResults<Record>) { events.yield(.changed(ObjectIdentifier(results))) }

    func results(_ results: LiveResults<Record>, didChange changes: ListChanges) {
        events.yield(.altered(ObjectIdentifier(results)))
    }

    func results(_ results: LiveResults<Record>, didFailWith error: any Error) { events.yield(.failed(error)) }

    func resultsDidRefresh(_ results: LiveResults<Record>) { events.yield(.fetched) }
}
