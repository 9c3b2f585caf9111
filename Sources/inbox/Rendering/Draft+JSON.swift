import Groundwork
import InboxMail

// The `--json` output of drafts. The names are those of RFC 8621 where it defines them.

extension MailDraft {
    var json: JSONObject {
        var object = JSONObject([
            ("id", .string(id)), ("state", .string(state.name)), ("subject", .string(subject)),
            ("preview", .string(snippet)), ("to", .array(to.map(\.object))), ("cc", .array(cc.map(\.object))),
            ("bcc", .array(bcc.map(\.object))), ("updatedAt", .string(RFC3339.string(from: updatedAt))),
            ("attachments", .array(numberedFiles.map { $0.file.json })),
            ("otherVersions", .array(otherVersions.map(\.json))),
        ])
        object["threadId"] = threadID.map(JSON.string)
        object["from"] = from?.object
        object["copyReason"] = copyRefusal.map { .string($0.description) }
        object["moveReason"] = moveRefusal.map { .string($0.description) }
        object["holder"] = holder.map { .string($0.rawValue) }
        if isBeingTakenBack { object["isBeingTakenBack"] = true }
        switch state {
        case .waiting(let date): object["until"] = .string(RFC3339.string(from: date))
        case .uploading(let fraction): object["uploadedPercent"] = JSON(Int(fraction * 100))
        case .refused(let refusal), .unsaved(let refusal):
            object["code"] = .string(refusal.code.description)
            object["reason"] = .string(refusal.description)
            object["refusedAddresses"] = JSON(refusal.addresses)
        case .unknown(let since, let attempts):
            object["since"] = .string(RFC3339.string(from: since))
            object["attempts"] = attempts?.json
        case .draft, .sending, .sent: break
        }
        return object
    }

    /// With the whole text, and the HTML if there is one.
    var wholeJSON: JSONObject {
        var object = json
        object["text"] = .string(text)
        object["html"] = html.map(JSON.string)
        return object
    }
}

extension SendingAttempts {
    fileprivate var json: JSON {
        var object = JSONObject([
            ("messageId", .string(messageID)), ("requests", JSON(requestCount)),
            ("firstRequestAt", .string(RFC3339.string(from: firstRequestAt))),
            ("lastRequestAt", .string(RFC3339.string(from: lastRequestAt))), ("checks", JSON(checkCount)),
        ])
        object["finding"] = finding.map { .string($0.rawValue) }
        object["failure"] = failure.map(JSON.string)
        return .object(object)
    }
}

extension DraftVersion {
    fileprivate var json: JSON {
        [
            "id": .string(id), "savedAt": .string(RFC3339.string(from: savedAt)), "subject": .string(subject),
            "preview": .string(snippet), "isUnremovable": .bool(isUnremovable),
        ]
    }
}

extension DraftAttachment {
    fileprivate var json: JSON {
        ["name": .string(name), "type": .string(type), "size": JSON(size), "isUploaded": .bool(isUploaded)]
    }
}

extension DraftProblem {
    var json: JSON {
        ["severity": severity == .blocksSending ? "error" : "question", "message": .string(message)]
    }
}
