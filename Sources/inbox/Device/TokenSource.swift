import Foundation

/// Gives the device's token, and gets a new one with the API key where that was kept.
///
/// Guarded by the actor: whether a token was given already. Being asked again means that the server didn't take the
/// last one.
actor TokenSource {
    private let device: Device
    private var given: String?
    private let fixed: String?

    init(_ device: Device) {
        self.device = device
        fixed = nil
    }

    /// Gives this token always: for a login that is still being tried.
    init(_ device: Device, fixed token: String) {
        self.device = device
        fixed = token
    }

    func token() async throws -> String {
        if let fixed { return fixed }
        // Read each time: the person may have logged in again meanwhile.
        var login = try device.login()
        let isRefused = given == login.token
        let isExpired = login.tokenExpiresAt.map { $0 <= Date() } ?? false
        if isRefused || isExpired, let key = login.key {
            do {
                let token = try await SendingServer(url: login.server, key: key).makeToken(for: login.person)
                login.token = token.text
                login.tokenExpiresAt = token.expiresAt
                try device.save(login)
            } catch let error as SendingError where !error.isRetryable {
                // The key is no longer valid, nor is the last token, as the server reports: the person has to log in
                // again.
            }
        }
        given = login.token
        return login.token
    }
}
