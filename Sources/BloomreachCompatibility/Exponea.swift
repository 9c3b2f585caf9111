public import Foundation
import Groundwork
public import InboxClient

/// Bloomreach's entry point.
///
/// Completion handlers are called once, on the main actor. A call that is running when another person is identified
/// ends with an error, so that no person receives another's messages.
public final class Exponea: Sendable {
    /// The app's client.
    public static let shared = Exponea()

    // Guarded by the lock, since Bloomreach's logger can be replaced at any time.
    private static let currentLogger = Locked(Logger())

    /// The app's log.
    public static var logger: Logger {
        get { currentLogger.withLock { $0 } }
        set { currentLogger.withLock { $0 = newValue } }
    }

    /// The server of the messages and the id that identifies a person. An app states these instead of its project and
    /// authorization.
    public struct InboxSettings: Sendable {
        var server: URL
        var directory: URL
        var hardID: String
        var configuration: InboxConfiguration
        var pushLifetime: TimeInterval
        /// The space above the picture of a message on its own screen, in points. 56 by default, which is the height of
        /// a navigation bar with a small title; 0 for a transparent bar.
        public var appInboxDetailImageInset = AppInboxDetailModel.defaultImageInset
        var token: @Sendable (String) async throws -> String

        /// Creates settings.
        ///
        /// - Parameters:
        ///   - server: The URL of the inbox server, `http` or `https`.
        ///   - directory: A folder for the app's inboxes, such as one in Application Support. It is created if it
        ///     doesn't exist.
        ///   - hardID: The name of the customer's id that is the app's own id for the person.
        ///   - configuration: The settings of the inbox. By default all messages are kept, as Bloomreach does.
        ///   - pushLifetime: How long a pushed message is kept if the server doesn't report it, in seconds: more than 0
        ///     and at most 100 years. 7 days by default.
        ///   - token: Returns a token of the person, which the app's backend gets from the server.
        public init(
            server: URL,
            directory: URL,
            hardID: String = "registered",
            configuration: InboxConfiguration = .keepingAll,
            pushLifetime: TimeInterval = Inbox.pushLifetime,
            token: @escaping @Sendable (_ person: String) async throws -> String
        ) {
            self.server = server
            self.directory = directory
            self.hardID = hardID
            self.configuration = configuration
            self.pushLifetime = pushLifetime
            self.token = token
        }
    }

    private struct Setup {
        let current: CurrentInbox
        /// Returns a person's token: the closure of the latest settings.
        let token: Locked<@Sendable (String) async throws -> String>
        let hardID: String
        let pushLifetime: TimeInterval
        let clock: any WallClock
        let imageInset: Double
    }

    /// Changes whenever another inbox becomes the current one, or the current one is emptied.
    let customer = LatestValue(UUID())
    /// The app's provider, or the default one once it is needed.
    @MainActor var provider: (any AppInboxProvider)?
    /// Opens the links of messages on screen; nil for the system.
    @MainActor public var appInboxLinkOpener: LinkOpener?
    /// Shows the screen that a tap on the button opens. By default it covers the app's topmost screen.
    @MainActor public var appInboxPresenter: (@MainActor (AppInboxScreen) -> Void)?

    // Guarded by the lock: the settings are set once, until the integration is stopped, and read from any thread.
    private let setup = Locked<Setup?>(nil)

    // Guarded by the lock: the settings of the integration that was stopped last. Its folder has one current inbox at a
    // time, which may still sign out.
    private let stopped = Locked<Setup?>(nil)

    // Guarded by the lock: the latest tracking task. The next one waits for it, so that events have the order of the
    // calls.
    package let lastTracking = Locked<Task<Void, Never>?>(nil)

    package init() {}

    /// Opens the inbox of the person who was identified last, if any. Call this once, early. A second call has no
    /// effect, unless the integration was stopped.
    ///
    /// After ``stopIntegration()``, a call with the same server and directory keeps the `configuration` of the first
    /// one.
    public func configure(_ settings: InboxSettings) {
        setup.withLock { setup in
            guard setup == nil else { return }
            let earlier = stopped.withLock { $0 }
            let isSame =
                earlier?.current.server == settings.server && earlier?.current.directory == settings.directory
            let known = isSame ? earlier : nil
            let token = known?.token ?? Locked(settings.token)
            token.withLock { $0 = settings.token }
            let current =
                known?.current
                ?? CurrentInbox(
                    server: settings.server,
                    directory: settings.directory,
                    configuration: settings.configuration
                ) { person in
                    let latest = token.withLock { $0 }
                    return try await latest(person)
                }
            setup = Setup(
                current: current,
                token: token,
                hardID: settings.hardID,
                pushLifetime: settings.pushLifetime,
                clock: settings.configuration.clock,
                imageInset: settings.appInboxDetailImageInset
            )
        }
        customer.set(UUID())
    }

    // MARK: - Identification

    /// Makes the inbox of the customer with this hard id the current one, and empties it at once, also during a fetch.
    ///
    /// - Parameters:
    ///   - customerIds: The customer's ids. Without the hard id, the person who is identified stays the same.
    ///   - properties: Ignored: an inbox stores nothing about a customer. The backend sets a person's attributes on the
    ///     server.
    ///   - timestamp: Ignored.
    public func identifyCustomer(
        customerIds: [String: String]?,
        properties: [String: Any] = [:],
        timestamp: Double? = nil
    ) {
        // Within the lock, so that no customer is identified once the integration has stopped.
        let isIdentified = setup.withLock { setup -> Bool in
            guard let setup else {
                Self.logger.log(.error, message: ExponeaError.notConfigured.localizedDescription)
                return false
            }
            guard let person = customerIds?[setup.hardID] ?? setup.current.person else { return false }
            setup.current.identify(person)
            return true
        }
        if isIdentified { customer.set(UUID()) }
    }

    /// Ends the identification and empties the inbox at once, also during a fetch.
    public func anonymize() {
        setup.withLock { $0 }?.current.anonymize()
        customer.set(UUID())
    }

    /// Ends the identification and empties the inbox at once, as ``anonymize()`` does, and stops: until
    /// ``configure(_:)`` is called again, each call fails with ``ExponeaError/notConfigured``.
    public func stopIntegration() {
        setup.withLock { setup in
            guard let ended = setup else { return }
            ended.current.anonymize()
            stopped.withLock { $0 = ended }
            setup = nil
        }
        customer.set(UUID())
    }

    // MARK: - Messages

    // A message's id is the item's, or Bloomreach's own for one that was imported from there.

    /// Syncs with the server, and passes all messages to the completion handler, newest first.
    ///
    /// It fails with the `InboxError` `notIdentified` if no customer is identified.
    public func fetchAppInbox(completion: @escaping @MainActor (Result<[MessageItem]>) -> Void) {
        perform(completion) { inbox in
            try await inbox.items(try await inbox.fetchMessages())
        }
    }

    /// Passes one message to the completion handler: from the device, or after one fetch if it isn't on the device.
    ///
    /// If a closure fits both overloads, the other one is used, as in Bloomreach's documentation.
    @_disfavoredOverload
    public func fetchAppInboxItem(
        _ messageId: String,
        completion: @escaping @MainActor (Result<MessageItem>) -> Void
    ) {
        perform(completion) { inbox in
            let message = try await inbox.fetchMessage(ownOrBloomreachID: messageId)
            guard let item = try await inbox.items([message].compactMap { $0 }).first else {
                throw ExponeaError.messageNotFound
            }
            return item
        }
    }

    /// Passes one message, or nil, to the completion handler: from the device, or after one fetch if it isn't on the
    /// device.
    public func fetchAppInboxItem(_ messageId: String, completion: @escaping @MainActor (MessageItem?) -> Void) {
        fetchAppInboxItem(messageId) { (result: Result<MessageItem>) in completion(try? result.get()) }
    }

    /// Marks a message as read, and reports whether it is read now. It needs no network, and tracks nothing.
    public func markAppInboxAsRead(_ messageId: String, completion: (@MainActor (Bool) -> Void)? = nil) {
        perform { result in
            completion?((try? result.get()) ?? false)
        } _: { inbox in
            let id = try await inbox.ownID(of: messageId)
            _ = try await inbox.markRead(id) as Bool
            return try await inbox.message(id: id)?.isUnread == false
        }
    }

    /// Marks a message as read, and reports whether it is read now. It needs no network, and tracks nothing.
    public func markAppInboxAsRead(_ message: MessageItem, completition: (@MainActor (Bool) -> Void)? = nil) {
        markAppInboxAsRead(message.id, completion: completition)
    }

    /// Puts the message of a push notification into the identified customer's inbox at once, without a network.
    ///
    /// The message is under the key `inbox` of the notification, as `Inbox.receive(push:keepFor:)` describes. It is
    /// kept for the settings' lifetime of pushes, until the server reports it. A notification of another kind, for
    /// another person or without a message, changes nothing and is logged.
    ///
    /// - Parameter userInfo: The notification, as `UNNotificationContent.userInfo` has it.
    public func trackPushReceived(userInfo: [AnyHashable: Any]) {
        let payload = Self.payload(userInfo)
        let lifetime = setup.withLock { $0?.pushLifetime } ?? Inbox.pushLifetime
        lastTracking.withLock { lastTracking in
            lastTracking = perform(after: lastTracking) { (result: Result<Void>) in
                if case .failure(let error) = result { Self.logger.log(.error, message: error.localizedDescription) }
            } _: { inbox in
                guard let payload else { throw ExponeaError.invalidPush }
                _ = try await inbox.receive(push: payload, keepFor: lifetime)
            }
        }
    }

    /// Returns a notification as JSON, or nil if it isn't JSON.
    private static func payload(_ userInfo: [AnyHashable: Any]) -> Data? {
        var object: [String: Any] = [:]
        for (key, value) in userInfo { if let name = key as? String { object[name] = value } }
        guard JSONSerialization.isValidJSONObject(object) else { return nil }
        return try? JSONSerialization.data(withJSONObject: object)
    }

    /// Whether ``configure(_:)`` was called.
    var isConfigured: Bool { setup.withLock { $0 != nil } }

    /// The clock of the inbox.
    var clock: any WallClock { setup.withLock { $0?.clock } ?? SystemClock() }

    /// The space above a message's picture, in points.
    var imageInset: Double { setup.withLock { $0?.imageInset } ?? AppInboxDetailModel.defaultImageInset }

    /// The current customer's inbox.
    ///
    /// - Throws: ``ExponeaError/notConfigured`` and the `InboxError`s of `CurrentInbox.inbox`.
    func currentInbox() async throws -> Inbox {
        guard let current = setup.withLock({ $0?.current }) else { throw ExponeaError.notConfigured }
        return try await current.inbox
    }

    /// Runs a closure with the inbox, and calls the completion handler with the result, without suspension in between.
    ///
    /// - Parameter previous: A task that has to end first.
    @discardableResult
    func perform<Outcome>(
        after previous: Task<Void, Never>? = nil,
        _ completion: @escaping @MainActor (Result<Outcome>) -> Void,
        _ body: @escaping @MainActor (Inbox) async throws -> Outcome
    ) -> Task<Void, Never> {
        let current = setup.withLock { $0?.current }
        return Task { @MainActor in
            await previous?.value
            do {
                guard let current else { throw ExponeaError.notConfigured }
                completion(.success(try await current.withInbox(body)))
            } catch {
                completion(.failure(error))
            }
        }
    }
}

extension InboxConfiguration {
    /// A configuration that keeps all messages on the device, and fetches all of them on a new device.
    public static var keepingAll: InboxConfiguration {
        var configuration = InboxConfiguration()
        configuration.deviceLimit = .all
        configuration.newDeviceLimit = .all
        return configuration
    }
}
