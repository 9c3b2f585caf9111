/// A storage of a device's grants: one for each account.
///
/// A stored grant has to be durable when the call returns, and readable by its owner only.
public protocol GrantStorage: Sendable {
    /// Returns the grant of an account; nil if there is none.
    ///
    /// - Throws: ``SignInError`` with the code `storage`.
    func grant(of account: String) async throws -> SignInGrant?

    /// Returns the addresses of the accounts that have a grant, sorted: the accounts to which the person is signed in.
    ///
    /// - Throws: ``SignInError`` with the code `storage`.
    func addresses() async throws -> [String]

    /// Stores the grant of an account, durably, or removes it.
    ///
    /// - Throws: ``SignInError`` with the code `storage`; the earlier grant is then still stored.
    func store(_ grant: SignInGrant?, of account: String) async throws

    /// Runs an operation while no other process refreshes the grant of the account. The default implementation runs it
    /// at once, which suits a storage that one process uses.
    ///
    /// - Throws: ``SignInError`` with the code `storage` if another process doesn't finish; the operation's errors.
    func exclusively<T: Sendable>(
        of account: String,
        _ operation: @Sendable () async throws -> T
    ) async throws -> T
}

extension GrantStorage {
    /// Runs the operation.
    ///
    /// - Throws: The operation's errors.
    public func exclusively<T: Sendable>(
        of account: String,
        _ operation: @Sendable () async throws -> T
    ) async throws -> T {
        try await operation()
    }
}
