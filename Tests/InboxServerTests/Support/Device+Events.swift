import Groundwork
import JMAP

extension Device {
    /// Calls `InboxEvent/set`, with `accountId` filled in, and returns the arguments of the response.
    func setEvents(_ arguments: JSON) async throws -> JSON {
        var object = arguments.objectValue ?? JSONObject()
        object.add("accountId", .string(account))
        return try await calls([["InboxEvent/set", .object(object), "0"]]).first?.arrayValue?[1] ?? .null
    }

    /// Sends one event under the creation id `k`.
    @discardableResult
    func track(
        _ type: String,
        _ message: String,
        uid: String,
        action: String? = nil,
        at: String? = nil,
        data: JSON? = nil,
        reads: Bool? = nil,
        consent: Bool? = nil
    ) async throws -> JSON {
        var event = JSONObject([("uid", .string(uid)), ("message", .string(message)), ("type", .string(type))])
        event["action"] = action.map(JSON.string)
        event["at"] = at.map(JSON.string)
        event["data"] = data
        event["reads"] = reads.map(JSON.bool)
        event["consent"] = consent.map(JSON.bool)
        return try await setEvents(["create": ["k": .object(event)]])
    }
}
