import Foundation
import RunningMailServer

/// A mailbox that `mbsync` (Debian's isync) has fetched over IMAP into an empty folder: whole mails as files.
struct Maildir: Sendable {
    let folder: URL
    let mails: Int
    let bytes: Int
    /// The duration of the fetch, in seconds.
    let duration: Double

    init(of user: MailServer.User, port: Int, in folder: URL) throws {
        self.folder = folder.appending(path: "mails")
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        let settings = folder.appending(path: "mbsyncrc")
        let path = self.folder.path(percentEncoded: false)
        // Mails aren't synced to disk one by one, as in our client.
        try """
        FSync no

        IMAPAccount cyrus
        Host 127.0.0.1
        Port \(port)
        User \(user.name)
        Pass \(user.password)
        SSLType None
        AuthMechs LOGIN

        IMAPStore there
        Account cyrus

        MaildirStore here
        Path \(path)/
        Inbox \(path)/INBOX
        SubFolders Verbatim

        Channel all
        Far :there:
        Near :here:
        Patterns *
        Create Near
        Sync Pull
        SyncState *

        """.write(to: settings, atomically: true, encoding: .utf8)
        duration = try seconds {
            try InstalledProgram.run("mbsync", ["--config", settings.path(percentEncoded: false), "--all", "--quiet"])
        }
        (mails, bytes) = try Self.contents(of: self.folder)
    }

    /// Returns the number of mails and their total size in bytes.
    private static func contents(of folder: URL) throws -> (mails: Int, bytes: Int) {
        var (mails, bytes) = (0, 0)
        for mailbox in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            for part in ["cur", "new"] {
                let folder = mailbox.appending(path: part).path(percentEncoded: false)
                guard let files = try? FileManager.default.contentsOfDirectory(atPath: folder) else { continue }
                mails += files.count
                for file in files {
                    let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(file)")
                    bytes += attributes[.size] as? Int ?? 0
                }
            }
        }
        return (mails, bytes)
    }
}
