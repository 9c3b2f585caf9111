#if canImport(ObjectiveC)
    public import Foundation

    extension ZetaClient {
        /// ``inbox`` for Objective-C.
        @objc(inbox) public var objectiveCInbox: (any ZTAppInboxObjectiveC)? { appInbox }
    }

    extension ZTConfig {
        /// Creates a configuration, for Objective-C.
        ///
        /// - Parameters:
        ///   - server: The URL of the inbox server.
        ///   - directory: A folder for the app's inboxes.
        ///   - person: The app's own id of the person. Nil if no person is signed in.
        ///   - tokenProvider: Gets a token of the person, and calls its second argument once, with the token or an
        ///     error.
        @objc(initWithServer:directory:person:token:)
        public convenience init(
            server: URL,
            directory: URL,
            person: String?,
            tokenProvider: @escaping @Sendable (String, @escaping @Sendable (String?, (any Error)?) -> Void) -> Void
        ) {
            self.init(server: server, directory: directory, person: person) { person in
                try await withCheckedThrowingContinuation { continuation in
                    tokenProvider(person) { token, error in
                        continuation.resume(with: token.map { .success($0) } ?? .failure(error ?? CancellationError()))
                    }
                }
            }
        }
    }

    /// ``ZTAppInboxManagable`` for Objective-C. Completion handlers are called once, on the main actor.
    @objc(ZTAppInboxManagable)
    public protocol ZTAppInboxObjectiveC {
        /// ``ZTAppInboxManagable/fetchMessages()``.
        @objc(fetchMessagesWithCompletion:)
        func fetchMessages(completion: @escaping @MainActor ([ZTAppInboxMessage]?, (any Error)?) -> Void)
        /// ``ZTAppInboxManagable/getUnreadMessages()``.
        @objc(getUnreadMessagesWithCompletion:)
        func getUnreadMessages(completion: @escaping @MainActor ([ZTAppInboxMessage]?, (any Error)?) -> Void)
        /// ``ZTAppInboxManagable/getReadMessages()``.
        @objc(getReadMessagesWithCompletion:)
        func getReadMessages(completion: @escaping @MainActor ([ZTAppInboxMessage]?, (any Error)?) -> Void)
        /// ``ZTAppInboxManagable/getMessageCount()``.
        @objc(getMessageCountWithCompletion:)
        func getMessageCount(completion: @escaping @MainActor (Int, (any Error)?) -> Void)
        /// ``ZTAppInboxManagable/getUnreadMessageCount()``.
        @objc(getUnreadMessageCountWithCompletion:)
        func getUnreadMessageCount(completion: @escaping @MainActor (Int, (any Error)?) -> Void)
        /// ``ZTAppInboxManagable/getReadMessageCount()``.
        @objc(getReadMessageCountWithCompletion:)
        func getReadMessageCount(completion: @escaping @MainActor (Int, (any Error)?) -> Void)
        /// ``ZTAppInboxManagable/getMessage(for:)``.
        @objc(getMessageFor:completion:)
        func getMessage(
            for messageId: String,
            completion: @escaping @MainActor (ZTAppInboxMessage?, (any Error)?) -> Void
        )
        /// ``ZTAppInboxManagable/markMessageAsRead(messageId:)``.
        @objc(markMessageAsReadWithMessageId:completion:)
        func markMessageAsRead(messageId: String, completion: @escaping @MainActor ((any Error)?) -> Void)
        /// ``ZTAppInboxManagable/markAllMessagesAsRead(ids:)``.
        @objc(markAllMessagesAsReadWithIds:completion:)
        func markAllMessagesAsRead(ids: [String], completion: @escaping @MainActor ([String]?, (any Error)?) -> Void)
        /// ``ZTAppInboxManagable/markMessageAsDeleted(messageId:)``.
        @objc(markMessageAsDeletedWithMessageId:completion:)
        func markMessageAsDeleted(messageId: String, completion: @escaping @MainActor ((any Error)?) -> Void)
        /// ``ZTAppInboxManagable/markAllMessagesAsDeleted(ids:)``.
        @objc(markAllMessagesAsDeletedWithIds:completion:)
        func markAllMessagesAsDeleted(
            ids: [String],
            completion: @escaping @MainActor ([String]?, (any Error)?) -> Void
        )
        /// ``ZTAppInboxManagable/clearAll()``.
        @objc(clearAllWithCompletion:)
        func clearAll(completion: @escaping @MainActor ((any Error)?) -> Void)
        /// ``ZTAppInboxManagable/onMessageClicked(messageId:actionValue:)``.
        @objc(onMessageClickedWithMessageId:actionValue:completion:)
        func onMessageClicked(
            messageId: String,
            actionValue: String,
            completion: @escaping @MainActor ((any Error)?) -> Void
        )
    }

    extension ZTAppInbox: ZTAppInboxObjectiveC {
        /// The protocol whose methods of the same names are called.
        private var swift: any ZTAppInboxManagable { self }

        func fetchMessages(completion: @escaping @MainActor ([ZTAppInboxMessage]?, (any Error)?) -> Void) {
            swift.fetchMessages(completion: completion)
        }

        func getUnreadMessages(completion: @escaping @MainActor ([ZTAppInboxMessage]?, (any Error)?) -> Void) {
            swift.getUnreadMessages(completion: completion)
        }

        func getReadMessages(completion: @escaping @MainActor ([ZTAppInboxMessage]?, (any Error)?) -> Void) {
            swift.getReadMessages(completion: completion)
        }

        func getMessageCount(completion: @escaping @MainActor (Int, (any Error)?) -> Void) {
            swift.getMessageCount(completion: completion)
        }

        func getUnreadMessageCount(completion: @escaping @MainActor (Int, (any Error)?) -> Void) {
            swift.getUnreadMessageCount(completion: completion)
        }

        func getReadMessageCount(completion: @escaping @MainActor (Int, (any Error)?) -> Void) {
            swift.getReadMessageCount(completion: completion)
        }

        func getMessage(
            for messageId: String,
            completion: @escaping @MainActor (ZTAppInboxMessage?, (any Error)?) -> Void
        ) {
            swift.getMessage(for: messageId, completion: completion)
        }

        func markMessageAsRead(messageId: String, completion: @escaping @MainActor ((any Error)?) -> Void) {
            swift.markMessageAsRead(messageId: messageId, completion: completion)
        }

        func markAllMessagesAsRead(ids: [String], completion: @escaping @MainActor ([String]?, (any Error)?) -> Void) {
            swift.markAllMessagesAsRead(ids: ids, completion: completion)
        }

        func markMessageAsDeleted(messageId: String, completion: @escaping @MainActor ((any Error)?) -> Void) {
            swift.markMessageAsDeleted(messageId: messageId, completion: completion)
        }

        func markAllMessagesAsDeleted(ids: [String], completion: @escaping @MainActor ([String]?, (any Error)?) -> Void)
        {
            swift.markAllMessagesAsDeleted(ids: ids, completion: completion)
        }

        func clearAll(completion: @escaping @MainActor ((any Error)?) -> Void) {
            swift.clearAll(completion: completion)
        }

        func onMessageClicked(
            messageId: String,
            actionValue: String,
            completion: @escaping @MainActor ((any Error)?) -> Void
        ) {
            swift.onMessageClicked(messageId: messageId, actionValue: actionValue, completion: completion)
        }
    }
#endif
