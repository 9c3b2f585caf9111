/// A receiver of the changes of live results. Each method has an empty default implementation.
@MainActor
public protocol LiveResultsDelegate<Record>: AnyObject {
    /// The type of the records.
    associatedtype Record: Sendable & Equatable

    /// The items were replaced, and have to be displayed from scratch: the first items, those of another predicate or
    /// order, or none after the store was closed.
    func resultsDidReload(_ results: LiveResults<Record>)
    /// Items were inserted, deleted, moved or updated, or the range changed.
    func results(_ results: LiveResults<Record>, didChange changes: ListChanges)
    /// The request to the server failed, or the query can't be read. The items stay unchanged.
    func results(_ results: LiveResults<Record>, didFailWith error: any Error)
    /// The request to the server succeeded, and its changes are stored.
    func resultsDidRefresh(_ results: LiveResults<Record>)
}

extension LiveResultsDelegate {
    /// Does nothing.
    public func resultsDidReload(_ results: LiveResults<Record>) {}
    /// Does nothing.
    public func results(_ results: LiveResults<Record>, didChange changes: ListChanges) {}
    /// Does nothing.
    public func results(_ results: LiveResults<Record>, didFailWith error: any Error) {}
    /// Does nothing.
    public func resultsDidRefresh(_ results: LiveResults<Record>) {}
}
