import GRDB
import Groundwork
import MailComposing
import Replica

/// The account's own addresses, which are no contacts: those of its identities, and those that the app knows.
enum AccountAddresses {
    /// The setting with the addresses that the app knows, one in a line.
    static let setting = "mail own addresses"
}

extension ReplicaStore {
    /// Sets the addresses that the app knows to be the account's.
    ///
    /// - Throws: ``StoreError``.
    func applyOwnAddresses(of access: MailAccess) async throws {
        let user = access.credentials.user
        let known = [access.configuration.sender, user.contains("@") ? EmailAddress(email: user) : nil]
        let keys = Set(known.compactMap(\.self).filter { $0.problem == nil }.map(\.key)).sorted()
        let text = keys.isEmpty ? nil : keys.joined(separator: "\n")
        guard try await read({ db in try db.setting(AccountAddresses.setting) }) != text else { return }
        try await write { writer in try writer.set(setting: AccountAddresses.setting, to: text) }
    }
}

extension StoreWriter {
    /// Reads the account's own addresses if they may have changed. The mails from an address that was added or removed
    /// are read again.
    func readOwnAddresses() throws {
        guard try Int.fetchOne(db.cachedStatement(sql: "SELECT 1 FROM changedOwnAddress")) != nil else { return }
        try db.cachedStatement(sql: "DELETE FROM changedOwnAddress").execute()
        let identities = try String.fetchAll(db.cachedStatement(sql: "SELECT email FROM identity"))
            .map { EmailAddress(email: $0) }.filter { $0.problem == nil }.map(\.key)
        let known = try db.setting(AccountAddresses.setting)?.split(separator: "\n").map(String.init) ?? []
        let (old, new) = (try db.ownAddresses(), Set(identities + known))
        let insert = try db.cachedStatement(sql: "INSERT INTO ownAddress VALUES (?)")
        let delete = try db.cachedStatement(sql: "DELETE FROM ownAddress WHERE address = ?")
        let noteContact = try db.cachedStatement(
            sql: "INSERT INTO changedContact VALUES (?) ON CONFLICT DO NOTHING"
        )
        let noteMails = try db.cachedStatement(
            sql: """
                INSERT INTO changedContactMail SELECT contactUse.email
                    FROM contactSpelling JOIN contactUse ON contactUse.spelling = contactSpelling.id
                    WHERE contactSpelling.address = ? AND contactUse.kind <> \(ContactUse.Kind.written.rawValue)
                    ON CONFLICT DO NOTHING
                """
        )
        for address in old.symmetricDifference(new) {
            try (new.contains(address) ? insert : delete).execute(arguments: [address])
            try noteContact.execute(arguments: [address])
            try noteMails.execute(arguments: [address])
        }
    }
}

extension Database {
    /// Returns the account's own addresses as of the last write, in the form in which addresses are compared.
    func ownAddresses() throws -> Set<String> {
        try String.fetchSet(cachedStatement(sql: "SELECT address FROM ownAddress"))
    }
}
