public import Foundation
import Groundwork
public import InboxModel
import Replica

extension Inbox {
    /// The default lifetime of a pushed message that the server hasn't reported: 7 days, in seconds.
    public static let pushLifetime: TimeInterval = 7 * 86_400

    /// Puts the message of a push into the inbox at once, without a network. It also works in another process, such as
    /// a notification service extension, that has opened the same inbox.
    ///
    /// The message behaves like any other until the server's record replaces it. It is removed if a full sync of the
    /// server lacks its id, or when its lifetime ends. A message that is known on this device stays unchanged, and a
    /// deleted one stays deleted.
    ///
    /// ```json
    /// {
    ///   "aps": { "alert": { "title": "Your parcel", "body": "Here at 4" } },
    ///   "inbox": { "id": "m1", "person": "alice", "actions": [ … ] }
    /// }
    /// ```
    ///
    /// A push may arrive after another person has signed in on the device, so it has to name its `person`. A push for
    /// another person than this inbox's is rejected. So is a push without a person, unless
    /// ``InboxConfiguration/acceptsPushesWithoutPerson`` allows it. An extension gets the identified person from
    /// ``CurrentInbox/identifiedPerson(directory:server:)``.
    ///
    /// - Parameters:
    ///   - payload: The push as JSON, at most 4 MiB: a message under `inbox`, with the fields of
    ///   `Documentation/Messages.md`, of which only `id` is required, and `person`, the app's id of the recipient,
    ///   which is compared by bytes and isn't stored. Title and body may come from `aps.alert`.
    ///   - lifetime: How long to keep the message if the server doesn't report it, in seconds.
    /// - Returns: The message if it was put into the inbox. Nil if it is already known, was removed on this device, or
    ///   has expired.
    /// - Throws: ``InboxError``: `invalidArgument` names the problem; `otherPerson`, `noPerson`, `storage`, `diskFull`,
    ///   `closed`. On error, nothing has changed.
    @concurrent
    @discardableResult
    public func receive(push payload: Data, keepFor lifetime: TimeInterval = pushLifetime) async throws -> Message? {
        guard payload.count <= 4 * 1_048_576 else {
            throw InboxError(.invalidArgument, "The push is larger than 4 MiB.")
        }
        // (A longer lifetime would be unlimited in practice.)
        guard lifetime > 0, lifetime <= 100 * 365 * 86_400 else {
            throw InboxError(.invalidArgument, "A push's lifetime must be more than 0 seconds and at most 100 years.")
        }
        let needsPerson = !acceptsPushesWithoutPerson
        let json = JSON.object(
            try PushPayload.message(payload, to: person, needsPerson: needsPerson, at: clock.now)
        )
        let until = clock.now.addingTimeInterval(lifetime).milliseconds
        do {
            let text = try JSONText(checking: json.utf8)
            return try await write { [settings = engine.settings] writer in
                guard let id = try writer.receive(.message, text, until: until) else { return nil }
                if let limit = try settings.deviceLimit(of: .message, writer.db) {
                    try writer.evict(.message, limit: limit)
                }
                return try writer.db.message(id: id)
            }
        } catch let error as RecordError {
            throw InboxError(.invalidArgument, "The push's \(PushPayload.member): \(error.description)")
        } catch {
            throw InboxError.wrapping(error)
        }
    }

    /// Puts the message of a push into the inbox, as the overload with the payload's bytes does.
    ///
    /// - Parameters:
    ///   - userInfo: The dictionary of the notification. It has to be valid JSON.
    ///   - lifetime: How long to keep the message if the server doesn't report it, in seconds.
    /// - Throws: As ``Inbox/receive(push:keepFor:)-(Data,_)``; `invalidArgument` also if the dictionary isn't JSON.
    @discardableResult
    public func receive(
        push userInfo: sending [AnyHashable: Any],
        keepFor lifetime: TimeInterval = pushLifetime
    ) async throws -> Message? {
        guard JSONSerialization.isValidJSONObject(userInfo),
            let payload = try? JSONSerialization.data(withJSONObject: userInfo)
        else {
            throw InboxError(.invalidArgument, "The push isn't JSON.")
        }
        return try await receive(push: payload, keepFor: lifetime)
    }
}
