import Foundation
import Groundwork
import LinePrograms

/// Another client of a mailbox, over one IMAP connection that is reopened after an error: Python's imaplib, in
/// `imap.py`.
///
/// Each call throws ``Failure`` if the server rejects it or isn't available. Folder names are plain text, with `/`
/// between the levels. A mail is identified by its UID in its folder.
package final class IMAPClient: Sendable {
    /// A mail to append to a folder.
    package struct Mail: Sendable {
        package var bytes: [UInt8]
        package var flags: [String]
        /// The arrival in seconds since 1970. Nil for the current time.
        package var date: Int?

        package init(_ bytes: [UInt8], flags: [String] = [], date: Int? = nil) {
            self.bytes = bytes
            self.flags = flags
            self.date = date
        }
    }

    /// A mail in a folder.
    package struct Item: Hashable, Sendable {
        package let uid: Int
        /// The id of the mail in JMAP.
        package let emailID: String
        package let threadID: String
        /// The flags, sorted, without `\Recent`.
        package let flags: [String]
        package let size: Int
        /// The arrival in seconds since 1970.
        package let date: Int
    }

    private let program: LineProcess

    init(port: Int, user: MailServer.User) throws {
        let script = MailServer.repository.appending(path: "Tests/RunningMailServer/imap.py").path(
            percentEncoded: false
        )
        program = try LineProcess(["python3", script, "\(port)", user.name, user.password])
    }

    /// Appends mails to a folder, all or none, and returns their UIDs.
    @discardableResult
    package func append(_ mails: [Mail], to folder: String = "INBOX") async throws -> [Int] {
        let mails = mails.map { mail in
            [
                "bytes": .string(Data(mail.bytes).base64EncodedString()), "flags": JSON(mail.flags),
                "date": mail.date.map { JSON($0) } ?? .null,
            ] as JSON
        }
        let answer = try await ask("append", folder, ["mails": .array(mails)])
        return answer["uids"]?.arrayValue?.compactMap(\.intValue) ?? []
    }

    /// Appends mails of a ``SampleMailbox`` to their folders.
    package func append(_ mails: [SampleMailbox.Mail]) async throws {
        for (folder, mails) in Dictionary(grouping: mails, by: \.folder).sorted(by: { $0.key < $1.key }) {
            try await append(mails.map { Mail($0.bytes, flags: $0.flags, date: $0.date) }, to: folder)
        }
    }

    /// Returns all mails of a folder, ordered by UID.
    package func mails(in folder: String = "INBOX") async throws -> [Item] {
        let answer = try await ask("fetch", folder)
        return (answer["mails"]?.arrayValue ?? []).map { mail in
            Item(
                uid: mail["uid"]?.intValue ?? 0,
                emailID: mail["email"]?.stringValue ?? "",
                threadID: mail["thread"]?.stringValue ?? "",
                flags: mail["flags"]?.arrayValue?.compactMap(\.stringValue) ?? [],
                size: mail["size"]?.intValue ?? 0,
                date: mail["date"]?.intValue ?? 0
            )
        }
    }

    /// Sets and removes flags, such as `\Seen`, `\Flagged` or a keyword.
    package func flag(_ uids: [Int], in folder: String = "INBOX", add: [String] = [], remove: [String] = [])
        async throws
    {
        try await ask("flags", folder, ["uids": numbers(uids), "add": JSON(add), "remove": JSON(remove)])
    }

    package func move(_ uids: [Int], from folder: String = "INBOX", to other: String) async throws {
        try await ask("move", folder, ["uids": numbers(uids), "to": .string(other)])
    }

    package func copy(_ uids: [Int], from folder: String = "INBOX", to other: String) async throws {
        try await ask("copy", folder, ["uids": numbers(uids), "to": .string(other)])
    }

    /// Expunges mails from a folder.
    package func expunge(_ uids: [Int], in folder: String = "INBOX") async throws {
        try await ask("expunge", folder, ["uids": numbers(uids)])
    }

    package func folders() async throws -> [String] {
        let answer = try await ask("list")
        return answer["folders"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    package func create(_ folder: String) async throws { try await ask("create", folder) }

    /// Removes a folder and its mails, but not its subfolders.
    package func remove(_ folder: String) async throws { try await ask("remove", folder) }

    package func rename(_ folder: String, to other: String) async throws {
        try await ask("rename", folder, ["to": .string(other)])
    }

    /// Grants another user every right on a folder.
    package func share(_ folder: String = "INBOX", with user: String) async throws {
        try await ask("share", folder, ["user": .string(user)])
    }

    /// Sets the rights of a user on a folder (RFC 4314).
    package func setRights(of user: String, to rights: String, on folder: String) async throws {
        try await ask("share", folder, ["user": .string(user), "rights": .string(rights)])
    }

    @discardableResult
    private func ask(_ command: String, _ folder: String? = nil, _ arguments: JSON = [:]) async throws -> JSON {
        var line = arguments.objectValue ?? JSONObject()
        line["do"] = .string(command)
        line["folder"] = folder.map { .string($0) }
        return try await program.answer(to: Array(JSON.object(line).utf8))
    }

    private func numbers(_ uids: [Int]) -> JSON { .array(uids.map { JSON($0) }) }
}
