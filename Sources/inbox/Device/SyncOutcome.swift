import Foundation
import InboxClient
import InboxMail

/// The outcome of the sync of a one-shot command.
enum SyncOutcome: Sendable {
    case synced
    /// Not attempted, because of `--offline`.
    case skipped
    case failed(InboxError)

    /// Attempts a sync. A failure is returned rather than thrown: stored messages can be shown, and pending writes are
    /// kept.
    static func attempt(_ inbox: Inbox, offline: Bool) async throws -> SyncOutcome {
        try await attempt(offline: offline) { try await inbox.sync() }
    }

    /// Attempts a sync of a person's mail, with a progress bar at a terminal.
    static func attempt(_ mail: Mail, offline: Bool) async throws -> SyncOutcome {
        let outcome = try await attempt(offline: offline) { try await SyncProgress.show(mail) }
        guard case .failed(let error) = outcome else { return outcome }
        return await failure(error, of: mail)
    }

    /// Returns the outcome of a request about a person's mail that has failed. A login whose tokens are gone isn't
    /// accepted, whether the server can be reached or not.
    static func failure(_ error: InboxError, of mail: Mail) async -> SyncOutcome {
        guard error.code == .noToken, let missing = await Device.missingTokens(of: mail) else { return .failed(error) }
        return .failed(missing)
    }

    private static func attempt(offline: Bool, _ sync: () async throws -> Void) async throws -> SyncOutcome {
        if offline { return .skipped }
        do {
            try await sync()
            return .synced
        } catch let error as InboxError where error.code != .storage && error.code != .closed {
            return .failed(error)
        }
    }

    var isSynced: Bool { if case .synced = self { true } else { false } }

    /// The reason why the device isn't up to date, as a clause: "the server doesn't answer in time".
    var reason: String? { reason(login: Login.command) }

    /// The same for mail, with the command to log in to it again.
    func mailReason(_ mail: Mail) -> String? { reason(login: MailLogin.command(for: mail)) }

    /// Whether nothing is sent until the person has logged in again.
    var needsLogin: Bool {
        guard case .failed(let error) = self else { return false }
        return [.unauthorized, .otherPerson, .missingTokens].contains(error.code)
    }

    /// Checks that the person doesn't have to log in again. Call it after the stored records are shown and the changes
    /// are stored.
    ///
    /// - Parameter reason: The reason to report; nil if it was reported.
    /// - Throws: ``Failure`` with the code `notLoggedIn` if the server doesn't accept the login.
    func requireLogin(reporting reason: String? = nil) throws {
        guard needsLogin else { return }
        throw reason.map { Failure("Not up to date: \($0).", code: .notLoggedIn) } ?? Failure.needsLogin
    }

    /// The reason for which what is shown isn't up to date; nil if it is.
    ///
    /// - Parameter login: The command to log in again.
    func reason(login: @autoclosure () -> String) -> String? {
        switch self {
        case .synced: nil
        case .skipped: "--offline"
        case .failed(let error):
            switch error.code {
            case .timedOut: "the server doesn't answer in time"
            case .unauthorized:
                """
                \(error.tokenRefusal?.loginText.clause ?? "the server doesn't accept the login"); log in again with: \
                \(login())
                """
            case .missingTokens: "\(error.description.clause); log in again with: \(login())"
            default: error.description.clause
            }
        }
    }
}

extension String {
    func trimming(suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }

    /// The sentence as a clause: without its capital and its full stop.
    fileprivate var clause: String { prefix(1).lowercased() + String(dropFirst()).trimming(suffix: ".") }
}

extension TokenRefusal {
    /// The refusal of a token, described as a problem with the login, since the user of the tool doesn't handle tokens.
    var loginText: String {
        switch code {
        case .expired: "The login has expired."
        default: description.replacing("accept the token", with: "accept the login")
        }
    }
}
