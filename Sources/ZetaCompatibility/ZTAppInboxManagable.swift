/// The operations of an app on the person's messages.
///
/// Every method throws an `InboxError`. Only ``fetchMessages()`` needs the network: changes are visible at once, are
/// kept on the device, and are sent to the server and the other devices automatically. Each method also exists with a
/// completion handler.
///
/// Messages are fetched, marked and deleted by ``ZTAppInboxMessage/messageId``, or by Zeta's id of a message that was
/// imported from Zeta.
public protocol ZTAppInboxManagable: AnyObject, Sendable {
    /// Syncs with the server, and returns all messages that aren't deleted, newest delivery first.
    func fetchMessages() async throws -> [ZTAppInboxMessage]

    /// The unread messages on this device, newest delivery first.
    func getUnreadMessages() async throws -> [ZTAppInboxMessage]
    /// The read messages on this device, newest delivery first.
    func getReadMessages() async throws -> [ZTAppInboxMessage]
    /// The number of messages on this device.
    func getMessageCount() async throws -> Int
    /// The number of unread messages on this device.
    func getUnreadMessageCount() async throws -> Int
    /// The number of read messages on this device.
    func getReadMessageCount() async throws -> Int
    /// Returns a message, or nil if it isn't on this device, has expired or was deleted.
    func getMessage(for messageId: String) async throws -> ZTAppInboxMessage?

    /// Marks a message as read. Throws `unknownMessage` if it isn't on this device.
    func markMessageAsRead(messageId: String) async throws
    /// Marks messages as read, and returns the ids of those that are read now. Others aren't on this device, or are
    /// deleted.
    @discardableResult
    func markAllMessagesAsRead(ids: [String]) async throws -> [String]
    /// Deletes a message on every device. Throws `unknownMessage` if it isn't on this device.
    func markMessageAsDeleted(messageId: String) async throws
    /// Deletes messages on every device, and returns the ids of those that are deleted now. Others aren't on this
    /// device.
    @discardableResult
    func markAllMessagesAsDeleted(ids: [String]) async throws -> [String]
    /// Removes all messages from this device and resets their status: those that were read or deleted are unread, on
    /// every device. The next ``fetchMessages()`` fetches them again.
    ///
    /// `Inbox.clearAll()` empties this device and resets nothing.
    func clearAll() async throws

    /// Tracks a click on a button, given by its value or its link, and marks the message as read. Throws
    /// `unknownMessage` if it isn't on this device.
    func onMessageClicked(messageId: String, actionValue: String) async throws
}
