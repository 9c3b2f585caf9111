import Groundwork

extension DraftJob {
    /// The job in JSON: what `JSONEncoder.stored` writes of it, in a fraction of the time.
    var json: JSON {
        get throws {
            var object = JSONObject()
            object["aftermath"] = try aftermath.map { try JSON(encoding: $0) }
            object["attempt"] = try attempt.map { try JSON(encoding: $0) }
            object["attemptDates"] = .array(attemptDates.map { JSON($0) })
            object["attemptMarks"] = attemptMarks.map { JSON($0) }
            object["clockSetBackAt"] = clockSetBackAt.map { JSON($0) }
            object["copyRefusal"] = try copyRefusal.map { try JSON(encoding: $0) }
            object["createdAt"] = createdAt.map { JSON($0) }
            object["discardRefusal"] = try discardRefusal.map { try JSON(encoding: $0) }
            object["discardsUnsaved"] = discardsUnsaved.map(JSON.bool)
            object["editedAt"] = JSON(editedAt)
            object["failing"] = try failing.map { try JSON(encoding: $0) }
            object["handOverAt"] = handOverAt.map { JSON($0) }
            object["handedOver"] = handedOver.map { JSON($0) }
            object["hold"] = try hold.map { try JSON(encoding: $0) }
            object["included"] = JSON(included)
            object["isFinished"] = isFinished.map(JSON.bool)
            object["isForLater"] = isForLater.map(JSON.bool)
            object["isNew"] = isNew.map(JSON.bool)
            object["isSentElsewhere"] = isSentElsewhere.map(JSON.bool)
            object["isTokenSpent"] = isTokenSpent.map(JSON.bool)
            object["isUploading"] = .bool(isUploading)
            object["isVanished"] = .bool(isVanished)
            object["leftovers"] = JSON(leftovers)
            object["lostSavings"] = try lostSavings.map { try JSON(encoding: $0) }
            object["lostUploads"] = try lostUploads.map { try JSON(encoding: $0) }
            object["moveRefusal"] = try moveRefusal.map { try JSON(encoding: $0) }
            object["order"] = try order.map { try JSON(encoding: $0) }
            object["orderedAt"] = JSON(orderedAt)
            object["outcome"] = try outcome.map { try JSON(encoding: $0) }
            object["refused"] = try refused.map { try JSON(encoding: $0) }
            object["released"] = try released.map { try JSON(encoding: $0) }
            object["removed"] = removed.map { JSON($0) }
            object["removedAt"] = removedAt.map { JSON($0) }
            object["reportedMails"] = reportedMails.map { JSON($0) }
            object["retry"] = try retry.map { try JSON(encoding: $0) }
            object["revision"] = JSON(revision)
            object["saveRefusal"] = try saveRefusal.map { try JSON(encoding: $0) }
            object["saveRetryAt"] = saveRetryAt.map { JSON($0) }
            object["saved"] = saved?.json
            object["saving"] = try saving.map { try JSON(encoding: $0) }
            object["spentToken"] = spentToken.map(JSON.string)
            object["toBeDiscarded"] = toBeDiscarded.map { JSON($0) }
            object["token"] = .string(token)
            object["tried"] = try tried.map { try JSON(encoding: $0) }
            object["unanswered"] = try unanswered.map { try JSON(encoding: $0) }
            object["undecidedMails"] = undecidedMails.map { JSON($0) }
            object["unremovable"] = unremovable.map { JSON($0) }
            object["unsavableRevision"] = unsavableRevision.map { JSON($0) }
            object["unsubmitted"] = unsubmitted.map { JSON($0) }
            return .object(object)
        }
    }
}

extension DraftJob.Saved {
    fileprivate var json: JSON {
        var object = JSONObject()
        object["at"] = JSON(at)
        object["emailID"] = .string(emailID)
        object["isElsewhere"] = .bool(isElsewhere)
        object["isSeen"] = .bool(isSeen)
        object["receivedAt"] = receivedAt.map { JSON($0) }
        object["revision"] = JSON(revision)
        return .object(object)
    }
}
