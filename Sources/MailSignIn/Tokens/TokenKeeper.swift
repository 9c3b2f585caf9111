public import Foundation
import Groundwork

/// Keeps the access token of one account valid.
///
/// A token is refreshed shortly before it expires, or when the mail server has rejected it: once, however many callers
/// wait for it, and in one process at a time (``GrantStorage``). A new refresh token is stored before the tokens that
/// came with it are used, so that the process can end at any moment.
public actor TokenKeeper {
    /// The person's address.
    public nonisolated let address: String
    /// The mail server's URL, for `Mail.open`.
    public nonisolated let server: URL
    private let storage: any GrantStorage
    private let configuration: SignInConfiguration
    /// The stored grant, unless ``isUnstored`` is true.
    private var grant: SignInGrant
    /// Whether the grant couldn't be stored yet. It isn't used before.
    private var isUnstored = false
    /// The refresh that is under way. Whoever needs a token waits for it.
    private var refresh: Task<Void, any Error>?
    private var refreshedAt: Date?
    private var end: SignInError?

    /// The time before a token expires from which it isn't used any more, in seconds.
    static let margin = 60.0
    /// The time, in seconds, for which a new token isn't refreshed though it was rejected. A mail server that rejects
    /// new tokens doesn't lead to more and more of them.
    static let rest = 10.0

    /// Stores the grant of a sign-in, durably, and keeps it.
    ///
    /// - Parameters:
    ///   - grant: The grant.
    ///   - storage: The storage of the grant.
    ///   - configuration: The settings of requests.
    /// - Throws: ``SignInError`` with the code `storage`.
    public init(
        _ grant: SignInGrant,
        storage: any GrantStorage,
        configuration: SignInConfiguration = SignInConfiguration()
    ) async throws {
        try await storage.store(grant, of: grant.address)
        self.init(stored: grant, storage, configuration)
    }

    /// Keeps the stored grant of an account.
    ///
    /// - Parameters:
    ///   - address: The address with which the person signed in.
    ///   - storage: The storage of the grant.
    ///   - configuration: The settings of requests.
    /// - Throws: ``SignInError``: `signInRequired` if none is stored, `storage`.
    public init(
        address: String,
        storage: any GrantStorage,
        configuration: SignInConfiguration = SignInConfiguration()
    ) async throws {
        guard let grant = try await storage.grant(of: address) else {
            throw SignInError(.signInRequired, "\(address) isn't signed in.")
        }
        self.init(stored: grant, storage, configuration)
    }

    private init(stored grant: SignInGrant, _ storage: any GrantStorage, _ configuration: SignInConfiguration) {
        (address, server) = (grant.address, grant.server)
        (self.grant, self.storage, self.configuration) = (grant, storage, configuration)
    }

    /// Returns a valid access token.
    ///
    /// - Parameter rejected: A token that the mail server has rejected; nil for none.
    /// - Throws: ``SignInError``: `signInRequired` if the authorization server has ended the access; `notConnected`,
    ///   `timedOut`, `serverError` and others, after which a later call may succeed; `storage`, `signedOut`.
    public func accessToken(replacing rejected: String? = nil) async throws -> String {
        while true {
            // Looked at again after each wait: it may be another grant.
            if let end, end.code == .signedOut { throw end }
            if end == nil, !isUnstored, isUsable(rejected) { return grant.accessToken }
            let refresh = refresh ?? startRefresh(rejected)
            do {
                try await refresh.value
            } catch let error as SignInError where error.isRetryable && isValid && rejected != grant.accessToken {
                // It is early to refresh: the present token still works.
                return grant.accessToken
            }
            // A token that was rejected and can't be replaced is returned once more: the server's answer then has the
            // reason.
            if end == nil, !isUnstored { return grant.accessToken }
        }
    }

    /// The current access token, which may have expired. The mail server then answers that the person has to sign in.
    func lastToken() -> String { grant.accessToken }

    /// Whether the person has signed out.
    var isSignedOut: Bool { end?.code == .signedOut }

    private func isUsable(_ rejected: String?) -> Bool { !isExpiring && rejected != grant.accessToken }

    private var isExpiring: Bool {
        grant.expiresAt.map { $0.timeIntervalSince(configuration.clock.now) < margin } ?? false
    }

    /// Whether the token is so new that another one wouldn't help.
    private var isNew: Bool {
        refreshedAt.map { (0..<Self.rest).contains(configuration.clock.now.timeIntervalSince($0)) } ?? false
    }

    /// Whether the stored token hasn't expired, as far as is known.
    private var isValid: Bool {
        end == nil && !isUnstored && (grant.expiresAt.map { $0 > configuration.clock.now } ?? true)
    }

    /// A short life is used to its half.
    private var margin: Double {
        guard let refreshedAt, let expiresAt = grant.expiresAt else { return Self.margin }
        return min(Self.margin, max(0, expiresAt.timeIntervalSince(refreshedAt)) / 2)
    }

    private func startRefresh(_ rejected: String?) -> Task<Void, any Error> {
        let task = Task {
            defer { refresh = nil }
            let storage = storage
            try await storage.exclusively(of: address) { try await self.refreshAlone(rejected) }
        }
        refresh = task
        return task
    }

    /// Refreshes while no other process does.
    private func refreshAlone(_ rejected: String?) async throws {
        if isUnstored {
            try await storeGrant()
            return
        }
        // Another process may have refreshed it, or the person may have signed in again.
        let stored = try await storage.grant(of: address)
        guard let stored else {
            let error = SignInError(.signedOut, "\(address) has signed out.")
            end = error
            throw error
        }
        if let end, end.code == .signedOut { throw end }
        if stored != grant {
            (grant, end, refreshedAt) = (stored, nil, nil)
            if isUsable(rejected) { return }
        }
        if let end { throw end }
        if isNew, !isExpiring { return }
        guard let refreshToken = grant.refreshToken else { throw finish("has expired") }
        let now = configuration.clock.now
        let host = grant.tokenEndpoint.shownHost
        let request = TokenRequest.refresh(refreshToken, of: grant)
        let response: TransportResponse
        do {
            response = try await configuration.requests.send(request)
        } catch let error as TransportError {
            throw SignInError.unreachable(host, error)
        }
        do {
            guard response.url.isSameResource(as: request.url) else {
                throw SignInError(.wrongIssuer, "\(host) has redirected the request to another address.")
            }
            grant.adopt(try TokenResponse(response, host: host, now: now))
        } catch let error as SignInError where error.code == .expired {
            throw finish("was ended by \(host)")
        }
        refreshedAt = now
        isUnstored = true
        try await storeGrant()
    }

    private func storeGrant() async throws {
        // The person may have signed out meanwhile: the new tokens are then revoked, and not stored.
        if let end { throw end }
        try await storage.store(grant, of: address)
        isUnstored = false
    }

    private func finish(_ what: String) -> SignInError {
        let error = SignInError(.signInRequired, "The sign-in of \(address) \(what). Sign in again.")
        end = error
        return error
    }

    /// Signs out: removes the grant from this device, and revokes it at the authorization server (RFC 7009).
    ///
    /// - Returns: Whether the server has revoked it. False if it can't be reached, or has no revocation: the tokens
    ///   then expire by themselves.
    /// - Throws: ``SignInError`` with the code `storage` if the grant can't be removed.
    @discardableResult
    public func signOut() async throws -> Bool {
        if let end, end.code == .signedOut { return false }
        end = SignInError(.signedOut, "\(address) has signed out.")
        // The newest refresh token is the one to revoke: that of a refresh that is under way, or of another process.
        if let refresh { try? await refresh.value }
        let removal: Result<Void, any Error>
        do {
            try await storage.exclusively(of: address) { try await self.remove() }
            removal = .success(())
        } catch {
            removal = .failure(error)
        }
        var isRevoked = false
        if let request = TokenRequest.revocation(of: grant) {
            let response = try? await configuration.requests.send(request)
            isRevoked = response?.status == 200
        }
        try removal.get()
        return isRevoked
    }

    private func remove() async throws {
        if !isUnstored, let stored = try? await storage.grant(of: address) { grant = stored }
        try await storage.store(nil, of: address)
    }
}
