import Foundation

/// Returns the device's token, and requests a new one with the API key if it was saved.
///
/// The actor guards the last returned token. A second request for the same token means that the server rejected it.
actor TokenSource {
    private let device: Device
    private var lastToken: String?
    private let fixedToken: String?

    init(_ device: Device) {
        self.device = device
        fixedToken = nil
    }

    /// Creates a source that always returns this token, for a login that isn't saved yet.
    init(_ device: Device, fixed token: String) {
        self.device = device
        fixedToken = token
    }

    func token() async throws -> String {
        if let fixedToken { return fixedToken }
        // Read on each call: the person may have logged in again meanwhile.
        var login = try device.login()
        let isRefused = lastToken == login.token
        let isExpired = login.tokenExpiresAt.map { $0 <= Date() } ?? false
        if isRefused || isExpired, let key = login.key, !Self.isPaused(login) {
            do {
                let token = try await ServerAPI(url: login.server, key: key).makeToken(for: login.person)
                login = try update(login) { ($0.token, $0.tokenExpiresAt) = (token.text, token.expiresAt) }
            } catch let error as ServerAPIError where !error.isRetryable {
                // The key is no longer valid, and neither is the last token, as the server reports: the person has to
                // log in again. On a full disk, the key is sent with each command.
                if error.refusesKey { login = (try? update(login) { $0.keyRefusedAt = Date() }) ?? login }
            }
        }
        lastToken = login.token
        return login.token
    }

    /// Whether the server has refused the key within the last minute. A key isn't sent again then: after a few wrong
    /// keys, a server checks no others of the same address.
    private static func isPaused(_ login: Login) -> Bool {
        login.keyRefusedAt.map { (0..<60).contains(Date().timeIntervalSince($0)) } ?? false
    }

    /// Saves a change of a login, unless another process has saved another login or token meanwhile.
    ///
    /// - Returns: The login that is saved.
    private func update(_ login: Login, _ change: (inout Login) -> Void) throws -> Login {
        var saved = try device.login()
        guard saved.token == login.token, saved.key == login.key else { return saved }
        saved.keyRefusedAt = nil
        change(&saved)
        try device.save(saved)
        return saved
    }
}
