/// A storage of a device's grants: one for each account.
///
/// What is stored has to be durable when a call returns, and readable by its owner only.
public protocol GrantStorage: Sendable {
    /// Returns the grant of an account; nil if there is none.
    ///
    /// - Throws: ``SignInError`` with the code `storage`.
    func grant(of account: String) async throws -> SignInGrant?

    /// Returns the addresses of the accounts that have a grant, sorted: those that the person is signed in to.
    ///
    /// - Throws: ``SignInError`` with the code `storage`.
    func addresses() async throws -> [String]

    /// Stores the grant of an account, durably, or removes it.
    ///
    /// - Throws: ``SignInError`` with the code `storage`; the earlier grant is then still stored.
    func store(_ grant: SignInGrant?, of account: String) async throws

    /// Runs an operation while no other process refreshes the grant of the account. By default it just runs: that is
    /// right for a storage that one process uses.
    func exclusively<T: Sendable>(
        of account: String,
        _ operation: @Sendable () async throws -> T
    ) async throws -> T
}

extension GrantStorage {
    /// Runs the operation.
    public func exclusively<T: Sendable>(
        of account: String,
        _ operation: @Sendable () async throws -> T
    ) async throws -> T {
        try await operation()
    }
}
