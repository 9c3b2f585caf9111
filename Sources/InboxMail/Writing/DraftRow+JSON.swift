import Groundwork

extension DraftRow {
    /// The row in JSON: what `JSONEncoder.stored` writes of it, in a fraction of the time.
    var json: JSON {
        get throws {
            var object = JSONObject()
            object["answeredId"] = answeredId.map(JSON.string)
            object["draft"] = try draft.json
            object["hasAttachment"] = .bool(hasAttachment)
            object["id"] = .string(id)
            object["preview"] = .string(preview)
            object["state"] = .string(state)
            object["subject"] = .string(subject)
            object["threadId"] = threadId.map(JSON.string)
            object["updatedAt"] = .string(updatedAt)
            return .object(object)
        }
    }
}

extension DraftRow.Details {
    fileprivate var json: JSON {
        get throws {
            var object = JSONObject()
            object["basis"] = basis.json
            object["copyRefusal"] = try copyRefusal.map { try JSON(encoding: $0) }
            object["holder"] = holder.map { JSON.string($0.rawValue) }
            object["isBeingTakenBack"] = isBeingTakenBack.map(JSON.bool)
            object["isComplete"] = .bool(isComplete)
            object["moveRefusal"] = try moveRefusal.map { try JSON(encoding: $0) }
            object["state"] = try state.json
            object["text"] = text.json
            object["versions"] = .array(versions.map(\.json))
            return .object(object)
        }
    }
}

extension DraftRow.Basis {
    fileprivate var json: JSON {
        switch self {
        case .document(let revision): ["document": ["revision": JSON(revision)]]
        case .version(let emailID): ["version": ["emailID": .string(emailID)]]
        }
    }
}

extension DraftState {
    fileprivate var json: JSON {
        get throws {
            guard self != .draft else { return ["draft": [:]] }
            return try JSON(encoding: self)
        }
    }
}

extension DraftRow.Version {
    fileprivate var json: JSON {
        var object = JSONObject()
        object["id"] = .string(id)
        object["isUnremovable"] = isUnremovable.map(JSON.bool)
        object["savedAt"] = JSON(savedAt)
        object["snippet"] = .string(snippet)
        object["subject"] = .string(subject)
        return .object(object)
    }
}
