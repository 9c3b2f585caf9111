/// Variants with completion handlers, which are called once, on the main actor.
extension ZTAppInboxManagable {
    /// ``fetchMessages()``.
    public func fetchMessages(completion: @escaping @MainActor ([ZTAppInboxMessage]?, (any Error)?) -> Void) {
        deliver(completion) { try await $0.fetchMessages() }
    }

    /// ``getUnreadMessages()``.
    public func getUnreadMessages(completion: @escaping @MainActor ([ZTAppInboxMessage]?, (any Error)?) -> Void) {
        deliver(completion) { try await $0.getUnreadMessages() }
    }

    /// ``getReadMessages()``.
    public func getReadMessages(completion: @escaping @MainActor ([ZTAppInboxMessage]?, (any Error)?) -> Void) {
        deliver(completion) { try await $0.getReadMessages() }
    }

    /// ``getMessageCount()``. The count is 0 if there is an error.
    public func getMessageCount(completion: @escaping @MainActor (Int, (any Error)?) -> Void) {
        deliver({ completion($0 ?? 0, $1) }, { try await $0.getMessageCount() })
    }

    /// ``getUnreadMessageCount()``. The count is 0 if there is an error.
    public func getUnreadMessageCount(completion: @escaping @MainActor (Int, (any Error)?) -> Void) {
        deliver({ completion($0 ?? 0, $1) }, { try await $0.getUnreadMessageCount() })
    }

    /// ``getReadMessageCount()``. The count is 0 if there is an error.
    public func getReadMessageCount(completion: @escaping @MainActor (Int, (any Error)?) -> Void) {
        deliver({ completion($0 ?? 0, $1) }, { try await $0.getReadMessageCount() })
    }

    /// ``getMessage(for:)``.
    public func getMessage(
        for messageId: String,
        completion: @escaping @MainActor (ZTAppInboxMessage?, (any Error)?) -> Void
    ) {
        deliver({ completion($0 ?? nil, $1) }, { try await $0.getMessage(for: messageId) })
    }

    /// ``markMessageAsRead(messageId:)``.
    public func markMessageAsRead(messageId: String, completion: @escaping @MainActor ((any Error)?) -> Void) {
        deliver({ completion($1) }, { try await $0.markMessageAsRead(messageId: messageId) })
    }

    /// ``markAllMessagesAsRead(ids:)``.
    public func markAllMessagesAsRead(
        ids: [String],
        completion: @escaping @MainActor ([String]?, (any Error)?) -> Void
    ) {
        deliver(completion) { try await $0.markAllMessagesAsRead(ids: ids) }
    }

    /// ``markMessageAsDeleted(messageId:)``.
    public func markMessageAsDeleted(messageId: String, completion: @escaping @MainActor ((any Error)?) -> Void) {
        deliver({ completion($1) }, { try await $0.markMessageAsDeleted(messageId: messageId) })
    }

    /// ``markAllMessagesAsDeleted(ids:)``.
    public func markAllMessagesAsDeleted(
        ids: [String],
        completion: @escaping @MainActor ([String]?, (any Error)?) -> Void
    ) {
        deliver(completion) { try await $0.markAllMessagesAsDeleted(ids: ids) }
    }

    /// ``clearAll()``.
    public func clearAll(completion: @escaping @MainActor ((any Error)?) -> Void) {
        deliver({ completion($1) }, { try await $0.clearAll() })
    }

    /// ``onMessageClicked(messageId:actionValue:)``.
    public func onMessageClicked(
        messageId: String,
        actionValue: String,
        completion: @escaping @MainActor ((any Error)?) -> Void
    ) {
        deliver({ completion($1) }, { try await $0.onMessageClicked(messageId: messageId, actionValue: actionValue) })
    }

    /// Runs a closure and calls the completion handler with the result, without suspension in between.
    private func deliver<Outcome>(
        _ completion: @escaping @MainActor (Outcome?, (any Error)?) -> Void,
        _ body: @escaping @MainActor (Self) async throws -> Outcome
    ) {
        Task { @MainActor in
            do {
                completion(try await body(self), nil)
            } catch {
                completion(nil, error)
            }
        }
    }
}
