import Groundwork
import JMAP
public import MailComposing
import Replica

extension MailDraft {
    /// The problems of the draft: first those that block ``Mail/send(_:later:)``, then the questions, such as a missing
    /// subject, or a text that speaks of an attachment where there is none.
    ///
    /// What the server allows isn't part of it: see ``Mail/problems(of:)``.
    public var problems: [DraftProblem] { check(DraftCheck.Limits()) }

    func check(_ limits: DraftCheck.Limits) -> [DraftProblem] {
        DraftCheck(
            from: from,
            replyTo: replyTo,
            to: to,
            cc: cc,
            bcc: bcc,
            subject: subject,
            text: text,
            html: html,
            files: files.map { DraftCheck.File(name: $0.name, size: $0.size, contentID: $0.contentID) },
            limits: limits
        ).problems
    }
}

extension Mail {
    /// Returns what is wrong with a draft, also by what the server allows: the sizes of the mail and of its files, and
    /// addresses of all scripts. It needs no network: without one, the limits are the last known.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func problems(of draft: MailDraft) async throws -> [DraftProblem] {
        draft.check(try await sendingLimits())
    }

    static var limitsSetting: String { "mail sending limits" }

    private func sendingLimits() async throws -> DraftCheck.Limits {
        try wrappingOpen()
        let stored = try await read { db in try db.setting(Self.limitsSetting) }
        guard let session = await connection.knownSession else {
            return stored.flatMap { try? JSON(parsing: $0.utf8) }.map(DraftCheck.Limits.init) ?? DraftCheck.Limits()
        }
        let id = account ?? SyncEngine.primaryAccount(of: .email, in: session)
        let capabilities = id.flatMap { session.accounts[$0] }?.accountCapabilities ?? JSONObject()
        let limits = DraftCheck.Limits(capabilities)
        let text = limits.json.description
        if text != stored { try await write { writer in try writer.set(setting: Self.limitsSetting, to: text) } }
        return limits
    }

    private func wrappingOpen() throws {
        do { try checkOpen() } catch { throw MailError.wrapping(error) }
    }
}

extension DraftCheck.Limits {
    /// The limits that an account's capabilities state (RFC 8621, section 1.3). What the server doesn't say is nil.
    init(_ capabilities: JSONObject) {
        let extensions = capabilities[MailCapability.submission]?["submissionExtensions"]?.objectValue ?? JSONObject()
        self.init(
            attachmentsSize: capabilities[MailCapability.mail]?["maxSizeAttachmentsPerEmail"]?.intValue,
            mailSize: extensions["SIZE"]?.arrayValue?.first?.stringValue.flatMap { Int($0) },
            supportsInternationalMail: extensions.isEmpty ? nil : extensions["SMTPUTF8"] != nil
        )
    }

    /// Reads what ``json`` has written.
    init(_ json: JSON) {
        self.init(
            attachmentsSize: json["attachmentsSize"]?.intValue,
            mailSize: json["mailSize"]?.intValue,
            supportsInternationalMail: json["supportsInternationalMail"]?.boolValue
        )
    }

    var json: JSON {
        var object = JSONObject()
        object["attachmentsSize"] = attachmentsSize.map { JSON($0) }
        object["mailSize"] = mailSize.map { JSON($0) }
        object["supportsInternationalMail"] = supportsInternationalMail.map(JSON.bool)
        return .object(object)
    }
}
