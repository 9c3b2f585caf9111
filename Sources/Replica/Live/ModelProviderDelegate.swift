/// A receiver of a model provider's changes. Each method has an empty default implementation.
@MainActor
public protocol ModelProviderDelegate<Record>: AnyObject {
    /// The type of the provider's records.
    associatedtype Record: Sendable & Equatable

    /// The items were replaced, and have to be displayed from scratch: the first items, those of another predicate or
    /// order, or none after the store was closed.
    func providerDataChanged(_ provider: ModelProvider<Record>)
    /// Items were inserted, deleted, moved or updated, or the range changed.
    func provider(_ provider: ModelProvider<Record>, dataAltered changes: ListChanges)
    /// The request to the server failed, or the query can't be read. The items stay unchanged.
    func provider(_ provider: ModelProvider<Record>, dataFetchFailed error: any Error)
    /// The request to the server succeeded, and its changes are stored.
    func providerDataFetchCompleted(_ provider: ModelProvider<Record>)
}

extension ModelProviderDelegate {
    /// Does nothing.
    public func providerDataChanged(_ provider: ModelProvider<Record>) {}
    /// Does nothing.
    public func provider(_ provider: ModelProvider<Record>, dataAltered changes: ListChanges) {}
    /// Does nothing.
    public func provider(_ provider: ModelProvider<Record>, dataFetchFailed error: any Error) {}
    /// Does nothing.
    public func providerDataFetchCompleted(_ provider: ModelProvider<Record>) {}
}
