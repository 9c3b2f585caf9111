/// Hears of a model provider's changes; each call has an empty default.
@MainActor
public protocol ModelProviderDelegate<Record>: AnyObject {
    /// The records of the provider.
    associatedtype Record: Sendable & Equatable

    /// The items are different ones: show them all anew. The first items, and those of another predicate or order; none
    /// when the store was closed.
    func providerDataChanged(_ provider: ModelProvider<Record>)
    /// Some items came, went, moved or changed, or the range did.
    func provider(_ provider: ModelProvider<Record>, dataAltered changes: ListChanges)
    /// The server couldn't be asked, or the query can't be read. The items stay as they are.
    func provider(_ provider: ModelProvider<Record>, dataFetchFailed error: any Error)
    /// The server was asked, and its news are stored.
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
