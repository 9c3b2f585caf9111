package import Foundation
import Groundwork
import JMAP
public import MailComposing
public import Replica

extension MailDraft {
    /// The problems of the draft: first those that block ``Mail/send(_:later:)``, then the questions, such as a missing
    /// subject, or a text that speaks of an attachment where there is none.
    ///
    /// The server's limits aren't checked: see ``Mail/problems(of:)``.
    public var problems: [DraftProblem] { check(DraftCheck.Limits()) }

    func check(_ limits: DraftCheck.Limits) -> [DraftProblem] {
        // If the text was changed alone, what is sent has other HTML, or none.
        let written = stored
        return DraftCheck(
            from: from,
            replyTo: replyTo,
            to: to,
            cc: cc,
            bcc: bcc,
            subject: subject,
            text: written.text,
            html: written.html,
            files: written.files.map { file in
                DraftCheck.File(
                    name: file.name,
                    size: file.size,
                    contentID: file.contentID,
                    isUploaded: file.blobID != nil || !file.isOnDevice
                )
            },
            limits: limits
        ).problems
    }
}

extension Mail {
    /// Returns the problems of a draft, including violations of the server's limits: the sizes of the mail and of each
    /// file, and addresses of all scripts. It needs no network: without one, the last known limits are used.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func problems(of draft: MailDraft) async throws -> [DraftProblem] {
        draft.check(try await sendingLimits())
    }

    static var limitsSetting: String { "mail sending limits" }

    /// Returns the problem of a file that is larger than the server takes, as far as this device knows; nil if it
    /// isn't.
    package func sizeProblem(ofFile name: String, size: Int) async throws -> DraftProblem? {
        // The limit may be unknown to this device, or out of date.
        if size > CoreCapability().maxSizeUpload, await connection.knownSession == nil {
            _ = try? await connection.currentSession()
        }
        guard let limit = try await sendingLimits().fileSize, size > limit else { return nil }
        return .fileTooLarge(name: name, size: size, limit: limit)
    }

    /// Returns the problem of a file that is larger than the server takes, without reading it.
    package func sizeProblem(of file: URL) async throws -> DraftProblem? {
        guard let size = FileFacts(of: file)?.size else { return nil }
        return try await sizeProblem(ofFile: file.lastPathComponent, size: size)
    }

    /// Checks that a file has no problem.
    ///
    /// - Throws: `MailError` `fileTooLarge` for its problem.
    package static func check(_ problem: DraftProblem?) throws {
        if let problem { throw MailError(.fileTooLarge, problem.message) }
    }

    /// Returns the limits that the server states. Those of a known session are stored, for a device without a network.
    @discardableResult
    func sendingLimits() async throws -> DraftCheck.Limits {
        try wrappingOpen()
        let stored = try await read { db in try db.setting(Self.limitsSetting) }
        guard let session = await connection.knownSession else {
            return stored.flatMap { try? JSON(parsing: $0.utf8) }.map(DraftCheck.Limits.init) ?? DraftCheck.Limits()
        }
        let id = account ?? SyncEngine.primaryAccount(of: .email, in: session)
        let capabilities = id.flatMap { session.accounts[$0] }?.accountCapabilities ?? JSONObject()
        let limits = DraftCheck.Limits(capabilities, fileSize: session.maxFileSize)
        let text = limits.json.description
        if text != stored { try await write { writer in try writer.set(setting: Self.limitsSetting, to: text) } }
        return limits
    }

    private func wrappingOpen() throws {
        do { try checkOpen() } catch { throw MailError.wrapping(error) }
    }
}

extension ReplicaError.Code {
    /// A file is larger than the mail server takes. `description` names it, its size and the limit.
    public static let fileTooLarge = ReplicaError.Code("fileTooLarge")
    /// This version of the app can't read how far a draft has come, such as one that a later version has stored. It may
    /// have been sent. It is kept as it is.
    public static let unreadableDraft = ReplicaError.Code("unreadableDraft")
}

extension Session {
    /// The maximum size of a file that is uploaded, in bytes; nil if the server states none.
    var maxFileSize: Int? {
        (capabilities[CoreCapability.uri]?["maxSizeUpload"]?.intValue).flatMap { $0 > 0 ? $0 : nil }
    }
}

extension DraftCheck.Limits {
    /// The limits that a session and an account's capabilities state (RFC 8621, section 1.3). Limits that the server
    /// doesn't state are nil.
    init(_ capabilities: JSONObject, fileSize: Int?) {
        let extensions = capabilities[MailCapability.submission]?["submissionExtensions"]?.objectValue ?? JSONObject()
        // The names may have either case (RFC 5321, section 2.4): Cyrus 3.6 has small letters.
        let parameters = Dictionary(extensions.members.map { ($0.name.uppercased(), $0.value) }) { first, _ in first }
        self.init(
            fileSize: fileSize,
            mailSize: parameters["SIZE"]?.arrayValue?.first?.stringValue.flatMap { Int($0) },
            supportsInternationalMail: parameters.isEmpty ? nil : parameters["SMTPUTF8"] != nil
        )
    }

    /// Decodes ``json``.
    init(_ json: JSON) {
        self.init(
            fileSize: json["fileSize"]?.intValue,
            mailSize: json["mailSize"]?.intValue,
            supportsInternationalMail: json["supportsInternationalMail"]?.boolValue
        )
    }

    var json: JSON {
        var object = JSONObject()
        object["fileSize"] = fileSize.map { JSON($0) }
        object["mailSize"] = mailSize.map { JSON($0) }
        object["supportsInternationalMail"] = supportsInternationalMail.map(JSON.bool)
        return .object(object)
    }
}
