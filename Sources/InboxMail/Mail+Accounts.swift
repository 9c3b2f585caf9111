import Foundation
import Groundwork
import Replica

extension Mail {
    /// Returns the accounts that these credentials give access to, including this one. If the server can't be reached,
    /// the last known list is returned.
    ///
    /// Each account is opened by its id and has a store of its own: `Mail.open(server:credentials:account:directory:)`.
    ///
    /// - Throws: `MailError`: `notConnected` and others if the server can't be reached and no list is known,
    ///   `unauthorized`, `storage`, `closed`.
    @concurrent
    public func accounts() async throws -> [MailAccount] {
        do {
            try checkOpen()
            let session = try await connection.currentSession()
            let accounts = MailAccount.list(session, primary: SyncEngine.primaryAccount(of: .email, in: session))
            let text = String(decoding: JSON.array(accounts.map(\.json)).utf8, as: UTF8.self)
            try await write { writer in
                if try writer.db.setting(Self.accountsSetting) != text {
                    try writer.set(setting: Self.accountsSetting, to: text)
                }
            }
            return accounts
        } catch let error as SyncError where error.isRetryable {
            guard let text = try await read({ db in try db.setting(Self.accountsSetting) }),
                let known = try? JSON(parsing: text.utf8).arrayValue?.compactMap(MailAccount.init)
            else { throw MailError.wrapping(error) }
            return known
        } catch {
            throw MailError.wrapping(error)
        }
    }

    static var accountsSetting: String { "mail accounts" }
}
