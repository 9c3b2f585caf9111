/// Hears of a provider's changes, on the main actor. All of it is optional, as in InboxKit.
@MainActor
public protocol INModelProviderDelegate: AnyObject {
    /// The items were replaced: reload the list. These are the first items, or those of another predicate or order.
    /// There are none after a sign-out.
    func providerDataChanged(_ provider: INModelProvider)
    /// Some items came, went, moved or changed.
    func provider(_ provider: INModelProvider, dataAltered changeSet: INModelProviderChangeSet)
    /// The server couldn't be asked, or the predicate can't be read. The items stay as they are.
    func provider(_ provider: INModelProvider, dataFetchFailed error: any Error)
    /// The server was asked, and the items are what came of it.
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
