import Foundation
import Groundwork
import LinePrograms

/// A receiver of mail (SMTP) for tests, which keeps what it is sent, and refuses, delays or hangs up as set: aiosmtpd,
/// in `smtp.py`.
package final class MailReceiver: Sendable {
    /// A mail that was received.
    package struct Mail: Hashable, Sendable {
        package let sender: String
        package let recipients: [String]
        package let text: String

        /// Returns the values of a header field, unfolded.
        package func header(_ name: String) -> [String] {
            // Not of the whole mail: with its files it can be large.
            let text = text[..<(text.range(of: "\r\n\r\n")?.lowerBound ?? text.endIndex)]
            let head = text.replacing("\r\n", with: "\n").components(separatedBy: "\n\n").first ?? ""
            let unfolded = head.replacing("\n ", with: " ").replacing("\n\t", with: " ")
            return unfolded.split(separator: "\n").compactMap { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { return nil }
                return parts[1].trimmingCharacters(in: .whitespaces)
            }
        }
    }

    private let program: LineProcess
    package let port: Int

    /// - Throws: ``Failure`` if it doesn't start; `scripts/python` installs what it needs.
    package init() async throws {
        let script = MailServer.repository.appending(path: "Tests/RunningMailServer/smtp.py")
        let python = MailServer.repository.appending(path: "scripts/python")
        program = try LineProcess([
            python.path(percentEncoded: false), "python3", script.path(percentEncoded: false),
        ])
        guard let port = try await program.answer()["port"]?.intValue else { throw Failure("no port") }
        self.port = port
    }

    /// The options of a ``MailServer`` that delivers to this receiver.
    package var options: [String] { ["smtp_backend: host", "smtp_host: 127.0.0.1:\(port)/noauth"] }

    /// The mails so far, in the order of their arrival.
    package func mails() async throws -> [Mail] {
        let answer = try await program.answer(to: (["do": "mails"] as JSON).utf8)
        return (answer["mails"]?.arrayValue ?? []).map { mail in
            let bytes = mail["bytes"]?.stringValue.flatMap { Data(base64Encoded: $0) } ?? Data()
            return Mail(
                sender: mail["from"]?.stringValue ?? "",
                recipients: mail["to"]?.arrayValue?.compactMap(\.stringValue) ?? [],
                text: String(decoding: bytes, as: UTF8.self)
            )
        }
    }

    /// Sets what it does from now on.
    ///
    /// - Parameters:
    ///   - refused: The reply to a recipient.
    ///   - data: The reply to a mail.
    ///   - delay: The wait before it replies to a mail, in seconds.
    ///   - hangup: Where it closes the connection: before its greeting (`connect`), at a recipient (`rcpt`), at a mail
    ///     that it doesn't keep (`data`), or at one that it keeps (`after`).
    package func behave(
        refused: [String: String] = [:],
        data: String? = nil,
        delay: Double = 0,
        hangup: String? = nil
    ) async throws {
        var request = JSONObject([("do", "behave")])
        request["refused"] = .object(JSONObject(refused.map { ($0.key, .string($0.value)) }))
        if let data { request["data"] = .string(data) }
        if delay > 0 { request["delay"] = JSON(Int(delay)) }
        if let hangup { request["hangup"] = .string(hangup) }
        try await program.answer(to: JSON.object(request).utf8)
    }

    /// Hands mails to addresses to users of a mail server too, from now on.
    package func deliver(to users: [String: String], of server: MailServer) async throws {
        var request = JSONObject([("do", "deliver")])
        request["to"] = .object(JSONObject(users.map { ($0.key, .string($0.value)) }))
        request["socket"] = .string(server.folder.appending(path: "run/lmtp").path(percentEncoded: false))
        try await program.answer(to: JSON.object(request).utf8)
    }

    package func stop() async { await program.end() }
}
