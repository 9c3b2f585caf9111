import ArgumentParser
import Foundation
import Groundwork
import InboxClient
import InboxServer
import MailSignIn

/// The failure of a command: a message with the problem and its solution, and the process's exit code.
struct Failure: Error, CustomStringConvertible {
    /// The exit codes in addition to 0 and ArgumentParser's 64 for a wrong command line. Scripts may rely on them.
    enum Code: Int32, Sendable {
        case failed = 1
        /// There is no login, or the server rejects it.
        case notLoggedIn = 2
        /// A mail wasn't sent: something is wrong with the draft, the server refuses it, or it can't be known whether
        /// it was sent. The draft is kept.
        case notSent = 3
    }

    let code: Code
    /// One line. Empty if the failure has already been reported.
    let description: String

    init(_ description: String, code: Code = .failed) {
        self.code = code
        self.description = description
    }

    /// A failure that has already been reported.
    static let reported = Failure("")
    /// A login that the server rejects, which has already been reported.
    static let needsLogin = Failure("", code: .notLoggedIn)
    /// A mail that wasn't sent, which has already been reported.
    static let notSent = Failure("", code: .notSent)

    /// - Returns: Nil for the errors that ArgumentParser throws to show help, a version or a mistake in the command
    ///   line.
    init?(from error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as InboxError: self.init(error)
        case let error as SignInError: self.init(error)
        case is CancellationError: self.init("Interrupted.")
        case let error as ServerAPIError: self.init(error.description)
        case let error as ServerSetupError: self.init(error.description)
        case let error as MaintenanceError: self.init(error.description)
        case let error as CocoaError:
            self.init([error.filePath, error.fileReason].compactMap(\.self).joined(separator: ": ") + ".")
        default: return nil
        }
    }

    /// - Parameter login: The command to log in again.
    init(_ error: InboxError, login: String = Login.command) {
        switch error.code {
        case .unauthorized:
            let what = error.tokenRefusal?.loginText ?? error.description
            self.init("\(what) Log in again with: \(login)", code: .notLoggedIn)
        case .otherPerson:
            self.init("\(error.description) Log in again with: \(login)", code: .notLoggedIn)
        default: self.init(error.description)
        }
    }

    init(_ error: SignInError) {
        let needsLogin: [SignInError.Code] = [.signInRequired, .signedOut, .denied, .cancelled, .expired]
        self.init(error.description.plainLine, code: needsLogin.contains(error.code) ? .notLoggedIn : .failed)
    }

    func exit() -> Never {
        if !description.isEmpty { Output.note("inbox: \(description)") }
        Foundation.exit(code.rawValue)
    }
}
