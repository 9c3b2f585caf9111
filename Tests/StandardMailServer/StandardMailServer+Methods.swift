import Foundation
import Groundwork
import JMAP

extension StandardMailServer.State {
    /// Processes a request.
    ///
    /// - Returns: The answers; nil if the server dies meanwhile.
    mutating func answer(_ request: Request, now: Date) -> [JSON]? {
        var answers: [(name: String, arguments: JSON, id: String)] = []
        var created: [String: String] = [:]
        for (index, call) in request.methodCalls.enumerated() {
            if let limit = behaviour.dies, index >= limit {
                behaviour.dies = nil
                return nil
            }
            do {
                let arguments = try call.arguments.resolvingReferences { reference in
                    answers.first { $0.id == reference.resultOf && $0.name == reference.name }
                        .map(\.arguments)
                }
                for (name, result) in try process(call.name, arguments, &created, now) {
                    answers.append((name, result, call.callID))
                }
            } catch let error as MethodError {
                answers.append(("error", error.json, call.callID))
            } catch {
                answers.append(("error", ["type": "serverFail"], call.callID))
            }
        }
        return answers.map { [.string($0.name), $0.arguments, .string($0.id)] }
    }

    private mutating func process(
        _ name: String,
        _ arguments: JSONObject,
        _ created: inout [String: String],
        _ now: Date
    ) throws -> [(String, JSON)] {
        if name.hasPrefix("Identity/"), let type = behaviour.identityError {
            throw MethodError(json: ["type": .string(type)])
        }
        if name.hasPrefix("Mailbox/"), let type = behaviour.mailboxError {
            throw MethodError(json: ["type": .string(type)])
        }
        switch name {
        case "Mailbox/get": return [(name, list(behaviour.roles.map(mailbox), arguments))]
        case "Identity/get":
            return [(name, list(behaviour.identities, arguments))]
        case "Mailbox/changes", "Identity/changes": return [(name, try otherChanges(name, arguments))]
        case "Email/get": return [(name, try get(arguments))]
        case "Thread/get": return [(name, list(threads, arguments))]
        case "Email/changes": return [(name, try changes(arguments))]
        case "Email/query": return [(name, try query(arguments))]
        case "Email/set": return [(name, try set(arguments, &created, now))]
        case "SearchSnippet/get" where behaviour.searchesTexts: return [(name, snippets(arguments))]
        case "EmailSubmission/query", "EmailSubmission/get": return [(name, findSubmissions(arguments))]
        case "EmailSubmission/changes": return [(name, try submissionChanges(arguments))]
        case "EmailSubmission/set":
            if let type = behaviour.submissionError { throw MethodError(json: ["type": .string(type)]) }
            return try submit(arguments, &created, now)
        default:
            let parts = name.split(separator: "/").map(String.init)
            guard parts.count == 2, let records = records[parts[0]] else {
                throw MethodError(json: ["type": "unknownMethod"])
            }
            return [(name, try records.answer(parts[1], arguments))]
        }
    }

    // MARK: - Mailboxes and identities

    private func mailbox(_ role: String) -> JSON {
        let mails = mails.values.filter { $0.mailboxes.contains(role) }
        return [
            "id": .string(role), "name": .string(role.capitalized), "parentId": .null, "role": .string(role),
            "sortOrder": 1, "totalEmails": JSON(mails.count), "totalThreads": JSON(mails.count),
            "unreadEmails": JSON(mails.count { !$0.keywords.contains("$seen") }),
            "unreadThreads": JSON(mails.count { !$0.keywords.contains("$seen") }), "isSubscribed": true,
        ]
    }

    private var threads: [JSON] {
        Dictionary(grouping: mails.values) { $0.properties["threadId"]?.stringValue ?? "" }.map { id, mails in
            let ids = mails.sorted { $0.createdAt < $1.createdAt }.map { $0.properties["id"] ?? .null }
            return ["id": .string(id), "emailIds": .array(ids)]
        }
    }

    private func list(_ all: [JSON], _ arguments: JSONObject) -> JSON {
        let ids = arguments["ids"]?.arrayValue
        let found = ids.map { ids in all.filter { ids.contains($0["id"] ?? .null) } } ?? all
        let known = all.map { $0["id"] ?? .null }
        return [
            "accountId": .string(StandardMailServer.account), "state": .string("\(modification)"),
            "list": .array(found), "notFound": .array((ids ?? []).filter { !known.contains($0) }),
        ]
    }

    private func otherChanges(_ name: String, _ arguments: JSONObject) throws -> JSON {
        let since = arguments["sinceState"]?.stringValue ?? ""
        if name == "Identity/changes", Int(since) ?? 0 < identitiesModification {
            throw MethodError(json: ["type": "cannotCalculateChanges"])
        }
        let ids = name == "Mailbox/changes" && since != "\(modification)" ? behaviour.roles : []
        return [
            "accountId": .string(StandardMailServer.account), "oldState": .string(since),
            "newState": .string("\(modification)"), "hasMoreChanges": false, "created": [], "updated": JSON(ids),
            "destroyed": [], "updatedProperties": .null,
        ]
    }

    /// The state of the submissions. A server that doesn't keep them has one state.
    var submissionState: String {
        guard behaviour.keepsSubmissions else { return "0" }
        return submissionUpdates == 0 ? "\(submissions.count)" : "\(submissions.count).\(submissionUpdates)"
    }

    /// Answers `EmailSubmission/query` and `EmailSubmission/get`.
    private func findSubmissions(_ arguments: JSONObject) -> JSON {
        let kept = behaviour.keepsSubmissions ? submissions.filter { !removedSubmissions.contains($0.id) } : []
        let emails = arguments["filter"]?["emailIds"]?.arrayValue?.compactMap(\.stringValue)
        let end = arguments["filter"]?["before"]?.stringValue.flatMap { RFC3339.date(from: $0) }
        let ids = arguments["ids"]?.arrayValue?.compactMap(\.stringValue)
        let found = kept.filter { submission in
            (emails?.contains(submission.emailID) ?? true) && (ids?.contains(submission.id) ?? true)
                && end.map { submission.sentAt < $0 } ?? true
        }
        return [
            "accountId": .string(StandardMailServer.account), "state": .string(submissionState),
            "queryState": .string(submissionState), "position": 0, "canCalculateChanges": false,
            "ids": JSON(found.map(\.id)),
            "list": .array(
                found.map { submission -> JSON in
                    [
                        "id": .string(submission.id), "emailId": .string(submission.emailID),
                        "undoStatus": .string(undoStatus(submission.id)),
                        "deliveryStatus": behaviour.deliveryStatus,
                        "sendAt": .string(RFC3339.string(from: submission.sentAt)),
                    ]
                }
            ), "notFound": [],
        ]
    }

    private func submissionChanges(_ arguments: JSONObject) throws -> JSON {
        let kept = behaviour.keepsSubmissions ? submissions : []
        guard let text = arguments["sinceState"]?.stringValue, let since = Int(text.prefix { $0 != "." }),
            since <= kept.count
        else {
            throw MethodError(json: ["type": "cannotCalculateChanges"])
        }
        func present(_ list: ArraySlice<(id: String, emailID: String, sentAt: Date)>) -> [String] {
            list.map(\.id).filter { !removedSubmissions.contains($0) }
        }
        let updates = text.split(separator: ".").dropFirst().first.flatMap { Int($0) } ?? 0
        // Any of them may be the changed one.
        let updated = submissionUpdates > updates ? present(kept.prefix(since)) : []
        return [
            "accountId": .string(StandardMailServer.account), "oldState": .string(text),
            "newState": .string(submissionState), "hasMoreChanges": false,
            "created": JSON(present(kept.dropFirst(since))), "updated": JSON(updated),
            "destroyed": JSON(reportedRemovals),
        ]
    }

    // MARK: - Reading mails

    /// Returns a mail with all its properties.
    func json(_ mail: StandardMailServer.Mail) -> JSON {
        var object = mail.properties
        func flags(_ names: Set<String>) -> JSON { .object(JSONObject(names.sorted().map { ($0, true) })) }
        object["keywords"] = flags(mail.keywords)
        object["mailboxIds"] = flags(mail.mailboxes)
        object["bodyValues"] = .object(mail.values)
        return .object(object)
    }

    private func get(_ arguments: JSONObject) throws -> JSON {
        guard let ids = arguments["ids"]?.arrayValue?.compactMap(\.stringValue) else {
            throw MethodError.invalidArguments("ids has to be given")
        }
        guard ids.count <= 500 else { throw MethodError(json: ["type": "requestTooLarge"]) }
        let properties = (arguments["properties"]?.arrayValue?.compactMap(\.stringValue)).map(Set.init)
        let limit = [arguments["maxBodyValueBytes"]?.intValue, behaviour.maxBodyValue].compactMap { $0 }.filter {
            $0 > 0
        }
        .min()
        let found = ids.compactMap { mails[$0] }.map { mail -> JSON in
            var whole = json(mail).objectValue ?? JSONObject()
            if let limit { whole["bodyValues"] = Self.truncated(mail.values, to: limit) }
            guard let properties else { return .object(whole) }
            return .object(JSONObject(whole.members.filter { $0.name == "id" || properties.contains($0.name) }))
        }
        return [
            "accountId": .string(StandardMailServer.account), "state": .string("\(modification)"),
            "list": .array(found), "notFound": JSON(ids.filter { mails[$0] == nil }),
        ]
    }

    /// Returns texts cut to a number of bytes (RFC 8621, section 4.2).
    private static func truncated(_ values: JSONObject, to limit: Int) -> JSON {
        .object(
            JSONObject(
                values.members.map { name, value in
                    guard let text = value["value"]?.stringValue, text.utf8.count > limit,
                        var object = value.objectValue
                    else { return (name, value) }
                    var bytes = Array(text.utf8.prefix(limit))
                    while String(validating: bytes, as: UTF8.self) == nil { bytes.removeLast() }
                    object["value"] = .string(String(decoding: bytes, as: UTF8.self))
                    object["isTruncated"] = true
                    return (name, .object(object))
                }
            )
        )
    }

    private func changes(_ arguments: JSONObject) throws -> JSON {
        guard let text = arguments["sinceState"]?.stringValue, let since = Int(text), since >= forgottenUntil,
            since <= modification
        else { throw MethodError(json: ["type": "cannotCalculateChanges"]) }
        let changed = mails.filter { $0.value.updatedAt > since }
        return [
            "accountId": .string(StandardMailServer.account), "oldState": .string(text),
            "newState": .string("\(modification)"), "hasMoreChanges": false,
            "created": JSON(changed.filter { $0.value.createdAt > since }.keys.sorted()),
            "updated": JSON(changed.filter { $0.value.createdAt <= since }.keys.sorted()),
            "destroyed": JSON(destroyed.filter { $0.at > since }.map(\.id)),
        ]
    }

    private func query(_ arguments: JSONObject) throws -> JSON {
        let filter = arguments["filter"] ?? .null
        var found = try mails.values.filter { try matches($0, filter) }
        let isAscending = arguments["sort"]?.arrayValue?.first?["isAscending"]?.boolValue ?? true
        found.sort { one, other in
            let isEarlier = (date(one), one.createdAt) < (date(other), other.createdAt)
            return isAscending ? isEarlier : !isEarlier
        }
        let position = arguments["position"]?.intValue ?? 0
        let limit = min(arguments["limit"]?.intValue ?? 500, 500)
        let page = found.dropFirst(position).prefix(limit)
        return [
            "accountId": .string(StandardMailServer.account), "queryState": .string("\(modification)"),
            "canCalculateChanges": false, "position": JSON(position), "total": JSON(found.count),
            "ids": .array(page.map { $0.properties["id"] ?? .null }),
        ]
    }

    private func date(_ mail: StandardMailServer.Mail) -> String { mail.properties["receivedAt"]?.stringValue ?? "" }

    private func matches(_ mail: StandardMailServer.Mail, _ filter: JSON) throws -> Bool {
        guard let filter = filter.objectValue else { return true }
        if let name = filter["operator"]?.stringValue {
            let parts = try (filter["conditions"]?.arrayValue ?? []).map { try matches(mail, $0) }
            return switch name {
            case "AND": parts.allSatisfy { $0 }
            case "OR": parts.contains(true)
            default: !parts.contains(true)
            }
        }
        return try filter.members.allSatisfy { member in
            switch member.name {
            case "inMailbox": return mail.mailboxes.contains(member.value.stringValue ?? "")
            case "hasKeyword": return mail.keywords.contains(member.value.stringValue ?? "")
            case "text" where behaviour.searchesTexts:
                return text(of: mail).lowercased().contains(member.value.stringValue?.lowercased() ?? "")
            case "header" where behaviour.searchesHeaders:
                let parts = member.value.arrayValue?.compactMap(\.stringValue) ?? []
                guard parts.first?.lowercased() == "message-id", parts.count == 2 else {
                    throw MethodError(json: ["type": "unsupportedFilter"])
                }
                let ids = mail.properties["messageId"]?.arrayValue?.compactMap(\.stringValue) ?? []
                return ids.contains { $0.lowercased().contains(parts[1].lowercased()) }
            default: throw MethodError(json: ["type": "unsupportedFilter"])
            }
        }
    }

    // MARK: - Searching

    /// The subject and the text of a mail.
    private func text(of mail: StandardMailServer.Mail) -> String {
        let texts = mail.values.members.compactMap { $0.value["value"]?.stringValue }
        return ([mail.properties["subject"]?.stringValue ?? ""] + texts).joined(separator: " ")
    }

    /// Returns the snippets of mails, with what a filter by text matches in `<mark>` (RFC 8621, section 5).
    private func snippets(_ arguments: JSONObject) -> JSON {
        let wanted = arguments["filter"]?["text"]?.stringValue ?? ""
        func marked(_ text: String) -> JSON {
            let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            guard let range = escaped.range(of: wanted, options: .caseInsensitive), !wanted.isEmpty else {
                return .null
            }
            return .string(escaped.replacingCharacters(in: range, with: "<mark>\(escaped[range])</mark>"))
        }
        let ids = arguments["emailIds"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let list = ids.compactMap { mails[$0] }.map { mail -> JSON in
            [
                "emailId": mail.properties["id"] ?? .null,
                "subject": marked(mail.properties["subject"]?.stringValue ?? ""),
                "preview": marked(mail.values.members.first?.value["value"]?.stringValue ?? ""),
            ]
        }
        return ["accountId": .string(StandardMailServer.account), "list": .array(list), "notFound": []]
    }
}
