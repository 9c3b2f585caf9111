import Foundation
import Groundwork
import JMAP

extension StandardMailServer.State {
    mutating func store(_ bytes: [UInt8]) -> String {
        sequence += 1
        let id = "b\(sequence)"
        blobs[id] = bytes
        return id
    }

    mutating func destroy(_ id: String) {
        guard let mail = mails.removeValue(forKey: id) else { return }
        for blob in mail.partBlobs { blobs[blob] = nil }
        modification += 1
        destroyed.append((id, modification))
    }

    private struct Refused: Error { let json: JSON }

    mutating func set(_ arguments: JSONObject, _ created: inout [String: String], _ now: Date) throws -> JSON {
        let old = modification
        if let state = arguments["ifInState"]?.stringValue, state != "\(old)" {
            throw MethodError(json: ["type": "stateMismatch"])
        }
        var (made, notMade, updated, notUpdated) = (JSONObject(), JSONObject(), JSONObject(), JSONObject())
        var (gone, notGone): ([String], JSONObject) = ([], JSONObject())
        for (name, json) in arguments["create"]?.objectValue?.members ?? [] {
            do {
                let id = try create(json, now)
                created[name] = id
                let mail = mails[id]?.properties
                made.add(
                    name,
                    [
                        "id": .string(id), "blobId": mail?["blobId"] ?? .null, "threadId": mail?["threadId"] ?? .null,
                        "size": mail?["size"] ?? .null,
                    ]
                )
            } catch let refused as Refused {
                notMade.add(name, refused.json)
            }
        }
        for (name, patch) in arguments["update"]?.objectValue?.members ?? [] {
            let id = name.hasPrefix("#") ? created[String(name.dropFirst())] ?? name : name
            do {
                try update(id, patch)
                updated.add(id, .null)
            } catch let refused as Refused {
                notUpdated.add(id, refused.json)
            }
        }
        for id in arguments["destroy"]?.arrayValue?.compactMap(\.stringValue) ?? [] {
            if mails[id] == nil {
                notGone.add(id, ["type": "notFound"])
            } else if let error = behaviour.refusesRemoval(id) {
                notGone.add(id, error)
            } else {
                gone.append(id)
                destroy(id)
            }
        }
        func orNull(_ object: JSONObject) -> JSON { object.isEmpty ? .null : .object(object) }
        return [
            "accountId": .string(StandardMailServer.account), "oldState": .string("\(old)"),
            "newState": .string("\(modification)"), "created": orNull(made), "notCreated": orNull(notMade),
            "updated": orNull(updated), "notUpdated": orNull(notUpdated), "destroyed": JSON(gone),
            "notDestroyed": orNull(notGone),
        ]
    }

    // MARK: - Creating

    private mutating func create(_ json: JSON, _ now: Date) throws -> String {
        if let error = behaviour.refusesCreation(json) { throw Refused(json: error) }
        func flags(_ name: String) -> Set<String> { Set(json[name]?.objectValue?.names ?? []) }
        let boxes = flags("mailboxIds")
        guard !boxes.isEmpty, boxes.isSubset(of: behaviour.roles) else {
            throw Refused(json: ["type": "invalidProperties", "properties": ["mailboxIds"]])
        }
        var leaves: [JSONObject] = []
        Self.collect(json["bodyStructure"] ?? .null, &leaves)
        let named = leaves.compactMap { $0["blobId"]?.stringValue }
        let missing = behaviour.lostFiles?(named) ?? named.filter { blobs[$0] == nil }
        guard missing.isEmpty else { throw Refused(json: ["type": "blobNotFound", "notFound": JSON(missing)]) }
        var values = JSONObject()
        var (texts, htmls, files): ([JSON], [JSON], [JSON]) = ([], [], [])
        var size = 500
        var partBlobs: [String] = []
        for (index, leaf) in leaves.enumerated() {
            var part = leaf
            let number = "\(index + 1)"
            if let id = leaf["partId"]?.stringValue {
                let text = json["bodyValues"]?[id]?["value"]?.stringValue ?? ""
                values.add(number, ["value": .string(text), "isTruncated": false, "isEncodingProblem": false])
                part["blobId"] = .string(store(Array(text.utf8)))
            }
            part["partId"] = .string(number)
            if behaviour.endsPartBlobs, leaf["partId"] == nil, let blob = leaf["blobId"]?.stringValue {
                let own = store(blobs[blob] ?? [])
                part["blobId"] = .string(own)
                partBlobs.append(own)
            }
            let bytes = part["blobId"]?.stringValue.flatMap { blobs[$0] }?.count ?? 0
            part["size"] = JSON(bytes)
            size += bytes
            for name in ["name", "cid", "disposition"] where part[name] == nil { part[name] = .null }
            switch leaf["type"]?.stringValue {
            case "text/plain" where leaf["partId"] != nil: texts.append(.object(part))
            case "text/html" where leaf["partId"] != nil: htmls.append(.object(part))
            default: files.append(.object(part))
            }
        }
        guard size <= behaviour.maxMailSize else {
            throw Refused(json: ["type": "tooLarge", "maxSize": JSON(behaviour.maxMailSize)])
        }
        sequence += 1
        let id = "m\(sequence)"
        modification += 1
        let text = values.members.first?.value["value"]?.stringValue ?? ""
        var properties = JSONObject([
            ("id", .string(id)), ("blobId", .string(store([]))), ("threadId", .string(thread(of: json, or: id))),
            ("size", JSON(size)), ("receivedAt", .string(RFC3339.string(from: now))),
            ("hasAttachment", .bool(files.contains { $0["disposition"] != "inline" })),
            ("preview", .string(String(text.prefix(200)))), ("subject", json["subject"] ?? .null),
            ("textBody", .array(texts.isEmpty ? htmls : texts)), ("htmlBody", .array(htmls.isEmpty ? texts : htmls)),
            ("attachments", .array(files)), ("files", .array(files)),
        ])
        for name in ["sentAt", "messageId", "inReplyTo", "references", "from", "to", "cc", "bcc", "replyTo", "sender"] {
            properties[name] = json[name] ?? .null
        }
        for member in json.objectValue?.members ?? [] where member.name.hasPrefix("header:") {
            properties[member.name] = member.value
        }
        mails[id] = StandardMailServer.Mail(
            properties: properties,
            keywords: flags("keywords"),
            mailboxes: boxes,
            createdAt: modification,
            updatedAt: modification,
            values: values,
            partBlobs: partBlobs
        )
        return id
    }

    private static func collect(_ part: JSON, _ leaves: inout [JSONObject]) {
        if let parts = part["subParts"]?.arrayValue {
            for part in parts { collect(part, &leaves) }
        } else if let leaf = part.objectValue {
            leaves.append(leaf)
        }
    }

    /// Returns the thread of a new mail: that of a mail that it refers to.
    private func thread(of json: JSON, or id: String) -> String {
        func ids(_ json: JSON, _ name: String) -> [String] { json[name]?.arrayValue?.compactMap(\.stringValue) ?? [] }
        let known = Set(ids(json, "messageId") + ids(json, "inReplyTo") + ids(json, "references"))
        let related = mails.values.filter { mail in
            !known.isDisjoint(with: ids(.object(mail.properties), "messageId"))
        }
        let first = related.min { $0.createdAt < $1.createdAt }
        return first?.properties["threadId"]?.stringValue ?? "t-\(id)"
    }

    private mutating func update(_ id: String, _ patch: JSON) throws {
        guard var mail = mails[id] else { throw Refused(json: ["type": "notFound"]) }
        if let error = behaviour.refusesChange(id) { throw Refused(json: error) }
        func apply(_ value: JSON, _ name: String, to set: inout Set<String>) {
            if value.boolValue ?? false { set.insert(name) } else { set.remove(name) }
        }
        for (path, value) in patch.objectValue?.members ?? [] {
            let parts = path.split(separator: "/").map { $0.replacing("~1", with: "/").replacing("~0", with: "~") }
            switch (parts.first, parts.count) {
            case ("keywords", 1): mail.keywords = Set(value.objectValue?.names ?? [])
            case ("mailboxIds", 1): mail.mailboxes = Set(value.objectValue?.names ?? [])
            case ("keywords", 2): apply(value, String(parts[1]), to: &mail.keywords)
            case ("mailboxIds", 2): apply(value, String(parts[1]), to: &mail.mailboxes)
            default: throw Refused(json: ["type": "invalidProperties", "properties": [.string(path)]])
            }
        }
        guard !mail.mailboxes.isEmpty, mail.mailboxes.isSubset(of: behaviour.roles) else {
            throw Refused(json: ["type": "invalidProperties", "properties": ["mailboxIds"]])
        }
        guard mail.mailboxes.count <= behaviour.maxMailboxes ?? .max else {
            throw Refused(json: ["type": "tooManyMailboxes"])
        }
        modification += 1
        mail.updatedAt = modification
        mails[id] = mail
    }

    // MARK: - Sending

    mutating func submit(
        _ arguments: JSONObject,
        _ created: inout [String: String],
        _ now: Date
    ) throws -> [(String, JSON)] {
        var (made, notMade) = (JSONObject(), JSONObject())
        var updates = JSONObject()
        let old = submissionState
        for (name, json) in arguments["create"]?.objectValue?.members ?? [] {
            let reference = json["emailId"]?.stringValue ?? ""
            let id = reference.hasPrefix("#") ? created[String(reference.dropFirst())] ?? "" : reference
            let recipients = (json["envelope"]?["rcptTo"]?.arrayValue ?? []).compactMap { $0["email"]?.stringValue }
            guard let mail = mails[id] else {
                notMade.add(name, ["type": "invalidProperties", "properties": ["emailId"]])
                continue
            }
            guard !recipients.isEmpty else {
                notMade.add(name, ["type": "noRecipients"])
                continue
            }
            if let error = behaviour.refusal(recipients) {
                notMade.add(name, error)
                continue
            }
            let submission = "s\(submissions.count + 1)"
            let text = mail.values.members.first?.value["value"]?.stringValue ?? ""
            let leaving = Set(recipients).sorted().map { recipient in
                StandardMailServer.Delivery(
                    messageID: mail.properties["messageId"]?.arrayValue?.first?.stringValue ?? "",
                    recipient: recipient,
                    text: text,
                    showsBcc: mail.properties["bcc"] != .null,
                    mailFrom: json["envelope"]?["mailFrom"]?["email"]?.stringValue ?? "",
                    identityID: json["identityId"]?.stringValue ?? ""
                )
            }
            let parameter = json["envelope"]?["mailFrom"]?["parameters"]?["HOLDFOR"]?.stringValue
            let seconds = parameter.flatMap { Int($0) } ?? 0
            guard seconds <= behaviour.maxDelayedSend else {
                notMade.add(name, ["type": "invalidProperties", "properties": ["envelope"]])
                continue
            }
            let isHeld = seconds > 0 && !behaviour.ignoresHold
            let sendAt = isHeld ? now.addingTimeInterval(Double(seconds)) : now
            submissions.append((submission, id, sendAt))
            if isHeld {
                held[submission] = StandardMailServer.Held(deliveries: leaving, sendAt: sendAt)
            } else {
                if behaviour.removesEndedSubmissions { removedSubmissions.insert(submission) }
                leave(leaving, now)
            }
            made.add(
                name,
                [
                    "id": .string(submission), "undoStatus": .string(isHeld ? "pending" : "final"),
                    "sendAt": .string(RFC3339.string(from: sendAt)),
                ]
            )
            if let patch = arguments["onSuccessUpdateEmail"]?.objectValue?["#\(name)"] { updates.add(id, patch) }
        }
        let (updated, notUpdated) = cancel(arguments["update"]?.objectValue ?? JSONObject())
        func orNull(_ object: JSONObject) -> JSON { object.isEmpty ? .null : .object(object) }
        var answers: [(String, JSON)] = [
            (
                "EmailSubmission/set",
                [
                    "accountId": .string(StandardMailServer.account), "oldState": .string(old),
                    "newState": .string(submissionState), "created": orNull(made), "notCreated": orNull(notMade),
                    "updated": orNull(updated), "notUpdated": orNull(notUpdated),
                ]
            )
        ]
        if !updates.isEmpty, !behaviour.ignoresSuccessUpdate {
            answers.append(("Email/set", try set(JSONObject([("update", .object(updates))]), &created, now)))
        }
        return answers
    }
}
