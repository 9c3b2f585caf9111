import Foundation
import InboxMail
import MailSignIn

/// The end of a login for mail.
extension Device {
    /// The result of a sign-out.
    struct SignOut: Sendable {
        /// The number of mails with changes that couldn't be sent.
        var lost: Int
        /// Whether the server has revoked the tokens; nil if there were none.
        var isRevoked: Bool?
    }

    /// Checks that nothing is on this device alone: no draft, and no page that was written in an editor.
    ///
    /// - Throws: ``Failure`` that names the unsaved texts.
    func checkSaved(_ login: MailLogin) async throws {
        let drafts = try await withMail(login, secret: { login.secret }) { try await $0.unsentDraftCount() }
        try checkSaved(drafts: drafts, of: login)
    }

    private func checkSaved(drafts: Int, of login: MailLogin) throws {
        var parts: [String] = []
        if drafts > 0 {
            let subject = drafts == 1 ? "1 draft isn't" : "\(drafts) drafts aren't"
            parts.append("\(subject) sent or saved on the server (user \(login.user.plainLine)).")
        }
        if !pages.isEmpty {
            let paths = pages.map(\.path).joined(separator: ", ")
            parts.append("What was written in an editor isn't saved, and is in \(paths).")
        }
        guard !parts.isEmpty else { return }
        throw Failure("\(parts.joined(separator: " ")) With --discard-drafts this is deleted.")
    }

    /// Ends the access of a login, and deletes its mail on this device.
    ///
    /// - Parameters:
    ///   - discardsDrafts: Whether drafts that are on this device alone may be deleted.
    ///   - revokes: Whether its tokens are revoked.
    /// - Throws: ``Failure`` if something is on this device alone, and nothing has changed.
    func signOut(_ login: MailLogin, discardsDrafts: Bool, revokes: Bool = true) async throws -> SignOut {
        if !discardsDrafts { try await checkSaved(login) }
        let lost = try await withMail(login, secret: { login.secret }) { mail in
            do {
                return try await mail.signOut(discardsDrafts: discardsDrafts)
            } catch let error as MailError where error.code == .unsentDrafts {
                // Saved meanwhile, in another window.
                try checkSaved(drafts: 1, of: login)
                throw error
            }
        }
        for page in pages { try? FileManager.default.removeItem(at: page) }
        guard revokes, login.scheme == .oauth else { return SignOut(lost: lost) }
        do {
            return SignOut(lost: lost, isRevoked: try await keeper(of: login).signOut())
        } catch let error as SignInError where error.code == .signInRequired {
            return SignOut(lost: lost)
        }
    }
}
