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
        if isRefused || isExpired, let key = login.key {
            do {
                let token = try await ServerAPI(url: login.server, key: key).makeToken(for: login.person)
                login.token = token.text
                login.tokenExpiresAt = token.expiresAt
                try device.save(login)
            } catch let error as ServerAPIError where !error.isRetryable {
                // The key is no longer valid, and neither is the last token, as the server reports: the person has to
                // log in again.
            }
        }
        lastToken = login.token
        return login.token
    }
}
