public import Foundation
import Groundwork
public import InboxClient

/// Bloomreach's entry point.
///
/// Completion handlers are called once, on the main actor. A call that is under way when another person is identified
/// ends with an error: no person receives another's messages.
public final class Exponea: Sendable {
    /// The one client of the app.
    public static let shared = Exponea()

    // Guarded by the lock, as Bloomreach's can be replaced at any time.
    private static let currentLogger = Locked(Logger())

    /// Where the app's log goes.
    public static var logger: Logger {
        get { currentLogger.withLock { $0 } }
        set { currentLogger.withLock { $0 = newValue } }
    }

    /// Where the messages come from, and what names a person: what an app has to say instead of its project and
    /// authorization.
    public struct InboxSettings: Sendable {
        var server: URL
        var directory: URL
        var hardID: String
        var configuration: InboxConfiguration
        var token: @Sendable (String) async throws -> String

        /// - Parameters:
        ///   - server: Where the inbox server is, an `http` or `https` URL.
        ///   - directory: A folder for the app's inboxes, such as one in Application Support. Made where it doesn't
        ///     exist.
        ///   - hardID: Which of the customer's ids is the app's own id for the person.
        ///   - configuration: What may be set about the inbox. By default all messages are kept, as Bloomreach does.
        ///   - token: Gives a token of the person's, which the app's backend gets from the server.
        public init(
            server: URL,
            directory: URL,
            hardID: String = "registered",
            configuration: InboxConfiguration = .keepingAll,
            token: @escaping @Sendable (_ person: String) async throws -> String
        ) {
            self.server = server
            self.directory = directory
            self.hardID = hardID
            self.configuration = configuration
            self.token = token
        }
    }

    private struct Setup {
        let current: CurrentInbox
        let hardID: String
    }

    // Guarded by the lock: the settings come once, and are looked at from everywhere.
    private let setup = Locked<Setup?>(nil)

    // Guarded by the lock: the latest tracking. The next one waits for it, so that events have the order of the calls.
    package let lastTracking = Locked<Task<Void, Never>?>(nil)

    package init() {}

    /// Opens the inbox of whoever was identified last, if anybody. To be called once, early; a second call changes
    /// nothing.
    public func configure(_ settings: InboxSettings) {
        setup.withLock { setup in
            guard setup == nil else { return }
            let current = CurrentInbox(
                server: settings.server,
                directory: settings.directory,
                configuration: settings.configuration,
                token: settings.token
            )
            setup = Setup(current: current, hardID: settings.hardID)
        }
    }

    // MARK: - Who

    /// Makes the inbox that of the customer with this hard id, and empties it at once, in the middle of a fetch too.
    ///
    /// - Parameters:
    ///   - customerIds: The customer's ids. Without the hard id, whoever is identified stays so.
    ///   - properties: Not used: an inbox knows nothing of a customer. The backend sets a person's attributes on the
    ///     server.
    ///   - timestamp: Not used.
    public func identifyCustomer(
        customerIds: [String: String]?,
        properties: [String: Any] = [:],
        timestamp: Double? = nil
    ) {
        guard let setup = setup.withLock({ $0 }) else {
            Self.logger.log(.error, message: ExponeaError.notConfigured.localizedDescription)
            return
        }
        guard let person = customerIds?[setup.hardID] ?? setup.current.person else { return }
        setup.current.identify(person)
    }

    /// Ends the identification and empties the inbox at once, also during a fetch.
    public func anonymize() {
        setup.withLock { $0 }?.current.anonymize()
    }

    // MARK: - Messages

    /// Asks the server for what is new, and gives all messages, newest first.
    ///
    /// It fails with `InboxError`'s `notIdentified` where no customer is identified.
    public func fetchAppInbox(completion: @escaping @MainActor (Result<[MessageItem]>) -> Void) {
        perform(completion) { inbox in
            try await inbox.items(try await inbox.fetchMessages())
        }
    }

    /// Gives one message: from the device where it is known, else after one fetch.
    ///
    /// Where a closure would do for both, Bloomreach's document means the other form.
    @_disfavoredOverload
    public func fetchAppInboxItem(
        _ messageId: String,
        completion: @escaping @MainActor (Result<MessageItem>) -> Void
    ) {
        perform(completion) { inbox in
            let message = try await inbox.fetchMessage(id: messageId)
            guard let item = try await inbox.items([message].compactMap { $0 }).first else {
                throw ExponeaError.messageNotFound
            }
            return item
        }
    }

    /// Gives one message, or nil: from the device where it is known, else after one fetch.
    public func fetchAppInboxItem(_ messageId: String, completion: @escaping @MainActor (MessageItem?) -> Void) {
        fetchAppInboxItem(messageId) { (result: Result<MessageItem>) in completion(try? result.get()) }
    }

    /// Marks a message read, and says whether it now is. Needs no network, and tracks nothing.
    public func markAppInboxAsRead(_ messageId: String, completion: (@MainActor (Bool) -> Void)? = nil) {
        perform { result in
            completion?((try? result.get()) ?? false)
        } _: { inbox in
            _ = try await inbox.markRead(messageId) as Bool
            return try await inbox.message(id: messageId)?.isUnread == false
        }
    }

    /// Marks a message read, and says whether it now is. Needs no network, and tracks nothing.
    public func markAppInboxAsRead(_ message: MessageItem, completition: (@MainActor (Bool) -> Void)? = nil) {
        markAppInboxAsRead(message.id, completion: completition)
    }

    /// Does something with the inbox and calls the completion handler with what came of it, without a wait between the
    /// two.
    ///
    /// - Parameter previous: What has to be over first.
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
    /// All messages are kept on the device, and a new device asks for all.
    public static var keepingAll: InboxConfiguration {
        var configuration = InboxConfiguration()
        configuration.deviceLimit = .all
        configuration.newDeviceLimit = .all
        return configuration
    }
}
