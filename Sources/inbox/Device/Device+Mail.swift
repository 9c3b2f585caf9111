import Foundation
import Groundwork
import InboxClient
import InboxMail
import Replica

/// The mail of a device: one account, in addition to the messages.
extension Device {
    private var mailFile: URL { directory.appendingPathComponent(Self.loginFiles[1], isDirectory: false) }

    /// Returns the login for mail.
    ///
    /// - Throws: ``Failure`` with the code `notLoggedIn` if there is none.
    func mailLogin() throws -> MailLogin {
        guard let bytes = try PrivateFile.read(mailFile) else {
            throw Failure(
                """
                This device has no login for mail (\(directory.path)). Log in with: \
                inbox mail login ADDRESS\(DeviceOptions.again)
                """,
                code: .notLoggedIn
            )
        }
        do {
            let login = try MailLogin(json: JSON(parsing: bytes))
            PrivateFile.protect(mailFile, secret: login.scheme == .oauth ? nil : login.scheme.secret)
            return login
        } catch {
            throw Failure(
                "\(mailFile.path) isn't a login: \(error). Log in again with: \(MailLogin.command)",
                code: .notLoggedIn
            )
        }
    }

    func save(_ login: MailLogin) throws {
        try PrivateFile.replace(mailFile, with: login.json.utf8)
    }

    /// Removes the login for mail.
    func removeMailLogin() throws {
        do {
            try PrivateFile.remove(mailFile)
        } catch {
            throw Failure("\(mailFile.path) can't be removed: \(error.fileReason).")
        }
    }

    /// Opens the mail of the logged-in person, lets a command use it, and closes it.
    ///
    /// - Parameters:
    ///   - isLive: Whether the mail syncs automatically. Otherwise it syncs on request.
    ///   - isOffline: Whether the server isn't contacted at all, such as for the body of a mail.
    /// - Throws: ``Failure``; the command's errors.
    func withMail<T>(
        isLive: Bool = false,
        isOffline: Bool = false,
        _ body: (Mail, MailLogin) async throws -> T
    ) async throws -> T {
        let login = try mailLogin()
        // Read on each call: the person may have logged in again meanwhile.
        let secret = { @Sendable () throws -> String in try mailLogin().secret }
        return try await withMail(login, isLive: isLive, isOffline: isOffline, secret: secret) { mail in
            try await body(mail, login)
        }
    }

    /// Does the same with a login that may be unsaved.
    func withMail<T>(
        _ login: MailLogin,
        isLive: Bool = false,
        isOffline: Bool = false,
        secret: @escaping @Sendable () throws -> String,
        _ body: (Mail) async throws -> T
    ) async throws -> T {
        do {
            var configuration = MailConfiguration()
            configuration.isLive = isLive
            let isStored = FileManager.default.fileExists(atPath: storeFile(login).path)
            let transport = SystemTransport.make()
            configuration.transport = isStored && !isLive ? FirstAnswerTransport(transport) : transport
            if isOffline { configuration.transport = OfflineTransport() }
            configuration.sender = login.sender
            // A command ends before its order could be cancelled. `inbox mail cancel` stops what still waits.
            configuration.undoSendInterval = 0
            let mail = try await Mail.open(
                server: login.server,
                credentials: await credentials(of: login, secret: secret),
                directory: directory,
                configuration: configuration
            )
            if let repair = mail.repair { Output.note("inbox: \(repair)") }
            let outcome: Result<T, any Error>
            do {
                outcome = .success(try await body(mail))
            } catch {
                outcome = .failure(error)
            }
            await mail.close()
            return try outcome.get()
        } catch let error as InboxError {
            throw Failure(error, login: login.command)
        }
    }

    // MARK: - Pages

    /// The files with texts from an editor that aren't saved.
    var pages: [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.filter { $0.hasPrefix("draft-") && $0.hasSuffix(".txt") }.sorted()
            .map { directory.appendingPathComponent($0, isDirectory: false) }
    }

    /// The location of a new file for the editor.
    func newPage() -> URL {
        let name = "draft-\(UUID().uuidString.lowercased().prefix(8)).txt"
        return directory.appendingPathComponent(name, isDirectory: false)
    }

    /// The file that holds a person's mail.
    func storeFile(_ login: MailLogin) -> URL {
        StoreLocation(directory: directory, server: login.server, person: "mail\u{0}\(login.user)").file
    }
}

/// The transport of a command with `--offline`.
private struct OfflineTransport: Transport {
    func send(_ request: TransportRequest, maxBytes: Int) async throws -> TransportResponse {
        throw TransportError.unreachable("--offline")
    }

    func stream(_ request: TransportRequest) async throws -> TransportStream {
        throw TransportError.unreachable("--offline")
    }
}
