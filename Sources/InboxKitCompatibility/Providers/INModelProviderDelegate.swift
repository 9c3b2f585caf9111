/// Receives a provider's changes, on the main actor. All methods are optional, as in InboxKit.
@MainActor
public protocol INModelProviderDelegate: AnyObject {
    /// The items were replaced: reload the list. They are the first items, or those of another predicate or order, or
    /// none after a sign-out.
    func providerDataChanged(_ provider: INModelProvider)
    /// Items were added, removed, moved or updated.
    func provider(_ provider: INModelProvider, dataAltered changeSet: INModelProviderChangeSet)
    /// The server couldn't be reached, or the predicate is unsupported. The items stay as they are.
    func provider(_ provider: INModelProvider, dataFetchFailed error: any Error)
    /// The request to the server succeeded, and the items are up to date.
    func providerDataFetchCompleted(_ provider: INModelProvider)
}

extension INModelProviderDelegate {
    /// Does nothing.
    public func providerDataChanged(_ provider: INModelProvider) {}
    /// Does nothing.
    public func provider(_ provider: INModelProvider, dataAltered changeSet: INModelProviderChangeSet) {}
    /// Does nothing.
    public func provider(_ provider: INModelProvider, dataFetchFailed error: any Error) {}
    /// Does nothing.
    public func providerDataFetchCompleted(_ provider: INModelProvider) {}
}
