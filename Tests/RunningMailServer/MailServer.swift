package import Foundation
package import Groundwork
import LinePrograms

/// A mail server on free ports of this machine, with a new and empty mailbox for each user: Cyrus, started by
/// `scripts/cyrus`.
///
/// It stops, and its files are deleted, at the latest when the test process ends.
package final class MailServer: Sendable {
    package struct User: Sendable {
        package let name: String
        /// The password for IMAP, and for Basic authentication over JMAP.
        package let password: String
        /// The token for Bearer authentication over JMAP.
        package let token: String

        /// The value of the `Authorization` header.
        package var basic: String { "Basic \(Data("\(name):\(password)".utf8).base64EncodedString())" }
    }

    /// The web server's URL, from which the session is discovered.
    package let url: URL
    package let users: [String: User]
    /// The folder of all the server's files. It is deleted when the server stops.
    package let folder: URL
    package let imapPort: Int
    private let script: LineProcess
    private let transport = URLSessionTransport(redirects: .never)

    private init(_ script: LineProcess, _ facts: JSON) throws {
        guard let url = facts["jmap"]?.stringValue.flatMap({ URL(string: $0) }), let port = facts["imap"]?.intValue,
            let folder = facts["folder"]?.stringValue, let users = facts["users"]?.objectValue
        else { throw Failure("\(facts)") }
        self.script = script
        self.url = url
        self.folder = URL(filePath: folder, directoryHint: .isDirectory)
        imapPort = port
        self.users = Dictionary(
            uniqueKeysWithValues: users.members.map { name, facts in
                let password = facts["password"]?.stringValue ?? ""
                return (name, User(name: name, password: password, token: facts["token"]?.stringValue ?? ""))
            }
        )
    }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - users: The names of the users. Each has an INBOX, Archive, Drafts, Junk, Sent and Trash.
    ///   - options: Lines for Cyrus's `imapd.conf`.
    ///   - sendsHeld: Whether it sends the mails that it holds, at their time.
    /// - Throws: ``Failure`` if the server doesn't start; `scripts/cyrus install` installs it.
    package static func start(
        users: [String] = ["alice"],
        options: [String] = [],
        sendsHeld: Bool = false
    ) async throws -> MailServer {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mail-\(UUID().uuidString)")
        var arguments = [
            repository.appending(path: "scripts/cyrus").path(percentEncoded: false), "start",
            folder.path(percentEncoded: false), "--users", users.joined(separator: ","),
        ]
        for option in options { arguments += ["--option", option] }
        if sendsHeld { arguments.append("--sends-held") }
        let script = try LineProcess(arguments)
        do {
            return try MailServer(script, await script.answer())
        } catch {
            await script.end()
            throw error
        }
    }

    /// Runs a test with a server, and stops the server afterwards.
    ///
    /// - Parameter isolation: The test's isolation.
    package static func run<T>(
        users: [String] = ["alice"],
        options: [String] = [],
        sendsHeld: Bool = false,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (MailServer) async throws -> T
    ) async throws -> T {
        let server = try await start(users: users, options: options, sendsHeld: sendsHeld)
        let outcome: Result<T, any Error>
        do {
            outcome = .success(try await body(server))
        } catch {
            outcome = .failure(error)
        }
        await server.stop()
        return try outcome.get()
    }

    /// Kills all processes of the server at once. Its folder is kept.
    package func kill() async throws { try await script.answer(to: Array("kill".utf8)) }

    /// Starts the server again on the same ports, after a kill.
    package func restart() async throws { try await script.answer(to: Array("start".utf8)) }

    /// Stops the server, and deletes its folder.
    package func stop() async { await script.end() }

    /// Returns an IMAP client of a user's mailbox.
    package func imap(_ user: String = "alice") throws -> IMAPClient {
        guard let user = users[user] else { throw Failure("no such user: \(user)") }
        return try IMAPClient(port: imapPort, user: user)
    }

    /// Sends one JMAP call of a user without a client library, and returns the server's response.
    ///
    /// - Parameter capabilities: Those that the call needs besides the ones of mail.
    /// - Throws: ``Failure`` with the response, if it is an error.
    package func jmap(
        _ method: String,
        _ arguments: JSON = [:],
        using capabilities: [String] = [],
        user: String = "alice"
    ) async throws -> JSON {
        var all = arguments.objectValue ?? JSONObject()
        if all["accountId"] == nil { all["accountId"] = .string(user) }
        let body: JSON = [
            "using": JSON(
                ["urn:ietf:params:jmap:core", "urn:ietf:params:jmap:mail", "urn:ietf:params:jmap:submission"]
                    + capabilities
            ),
            "methodCalls": [[.string(method), .object(all), "0"]],
        ]
        let answer = try JSON(parsing: await http("POST", "/jmap/", body.utf8, user: user).body)
        guard let call = answer["methodResponses"]?.arrayValue?.first?.arrayValue, call.count == 3,
            call[0].stringValue == method
        else { throw Failure("\(answer)") }
        return call[1]
    }

    /// Sends a user's request, and returns the response with any status. Redirects aren't followed.
    ///
    /// - Parameter authorization: The `Authorization` header. Nil for Basic with the user's password.
    package func http(
        _ method: String = "GET",
        _ path: String,
        _ body: [UInt8]? = nil,
        user: String = "alice",
        authorization: String? = nil
    ) async throws -> TransportResponse {
        guard let url = URL(string: path, relativeTo: url)?.absoluteURL, let user = users[user] else {
            throw Failure(path)
        }
        var headers = ["Authorization": authorization ?? user.basic]
        if body != nil { headers["Content-Type"] = "application/json" }
        let request = TransportRequest(method: method, url: url, headers: headers, body: body)
        return try await transport.send(request, maxBytes: 1 << 30)
    }

    package static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
}
