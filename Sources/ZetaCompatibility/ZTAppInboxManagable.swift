/// What an app does with the person's messages.
///
/// All of it fails with an `InboxError`. Only ``fetchMessages()`` needs the network; what is done shows at once, is
/// kept on the device, and reaches the server and the other devices by itself. Each method also exists with a
/// completion handler.
public protocol ZTAppInboxManagable: AnyObject, Sendable {
    /// Asks the server for what is new, and gives all messages that aren't deleted, newest delivery first.
    func fetchMessages() async throws -> [ZTAppInboxMessage]

    /// The unread messages on this device, newest delivery first.
    func getUnreadMessages() async throws -> [ZTAppInboxMessage]
    /// The read messages on this device, newest delivery first.
    func getReadMessages() async throws -> [ZTAppInboxMessage]
    /// How many messages there are on this device.
    func getMessageCount() async throws -> Int
    /// How many unread messages there are on this device.
    func getUnreadMessageCount() async throws -> Int
    /// How many read messages there are on this device.
    func getReadMessageCount() async throws -> Int
    /// One message; nil where it isn't on this device, has expired or was deleted.
    func getMessage(for messageId: String) async throws -> ZTAppInboxMessage?

    /// Marks a message read.
    func markMessageAsRead(messageId: String) async throws
    /// Marks messages read, and gives the ids of those that were unread.
    @discardableResult
    func markAllMessagesAsRead(ids: [String]) async throws -> [String]
    /// Deletes a message, on every device.
    func markMessageAsDeleted(messageId: String) async throws
    /// Deletes messages, on every device, and gives the ids of those that were there.
    @discardableResult
    func markAllMessagesAsDeleted(ids: [String]) async throws -> [String]
    /// Removes all messages from this device; the next ``fetchMessages()`` brings them again.
    func clearAll() async throws

    /// Reports that the person clicked a button, by its value or its link, and marks the message read.
    func onMessageClicked(messageId: String, actionValue: String) async throws
}
