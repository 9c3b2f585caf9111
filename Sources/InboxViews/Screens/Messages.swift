#if canImport(SwiftUI)
    public import Foundation
    public import InboxClient
    public import InboxModel
    import Replica
    public import SwiftUI

    /// The messages of the environment's inbox, kept up to date.
    ///
    /// ```swift
    /// struct Orders: View {
    ///     @Messages(where: #Predicate { $0.category == "orders" }) var orders
    ///
    ///     var body: some View {
    ///         List(orders) { Text($0.title) }
    ///     }
    /// }
    /// ```
    ///
    /// The projected value, `$orders`, has the state of the list, its counts, and the methods that extend and refresh
    /// it. A predicate or order that changes shows other messages.
    @MainActor @preconcurrency
    @propertyWrapper
    public struct Messages: @preconcurrency DynamicProperty {
        @Environment(\.inbox) private var inbox
        @State private var cache = ModelCache<MessageListModel>()
        private let content: MessageListModel.Content

        /// Creates a list of messages.
        ///
        /// - Parameters:
        ///   - predicate: The condition; nil for all messages.
        ///   - sort: The order; by default newest delivery first.
        ///   - limit: The number of messages. By default 50, which `loadMore()` extends.
        ///   - filter: The part of the inbox.
        ///   - surface: The surface; nil for all.
        public init(
            where predicate: Predicate<Message>? = nil,
            sort: [SortDescriptor<Message>] = [],
            limit: Int? = nil,
            in filter: MessageFilter = .inbox,
            surface: String? = nil
        ) {
            let query = Query(where: predicate, sort: sort, limit: limit)
            content = MessageListModel.Content(query, in: filter, surface: surface)
        }

        /// The messages; none without an inbox.
        public var wrappedValue: [Message] { cache.model?.messages ?? [] }

        /// The list; nil without an inbox.
        public var projectedValue: MessageListModel? { cache.model }

        /// Follows the environment's inbox and the query. SwiftUI calls it before it reads the view's body.
        public mutating func update() {
            let content = content
            cache.follow(inbox) { MessageListModel($0, content) }
            if let list = cache.model, !list.content.isSame(as: content) { list.content = content }
        }
    }

    /// The number of unread messages of the environment's inbox, kept up to date; 0 without an inbox.
    ///
    /// ```swift
    /// @UnreadCount var unread
    ///
    /// var body: some View {
    ///     TabView {
    ///         InboxScreen()
    ///             .tabItem { Text("Inbox") }
    ///             .badge(unread)
    ///     }
    /// }
    /// ```
    @MainActor @preconcurrency
    @propertyWrapper
    public struct UnreadCount: @preconcurrency DynamicProperty {
        @Environment(\.inbox) private var inbox
        @State private var cache = ModelCache<UnreadCountModel>()
        private let surface: String?

        /// Creates a property for the number of a surface.
        ///
        /// - Parameter surface: The surface; nil for all.
        public init(surface: String? = nil) { self.surface = surface }

        /// The number.
        public var wrappedValue: Int { cache.model?.value ?? 0 }

        /// Follows the environment's inbox and the surface. SwiftUI calls it before it reads the view's body.
        public mutating func update() {
            let surface = surface
            cache.follow(inbox, surface) { UnreadCountModel($0, surface: surface) }
        }
    }

    /// One message of the environment's inbox, kept up to date; nil while it isn't known, and when it is gone.
    ///
    /// ```swift
    /// struct Row: View {
    ///     @LiveMessage var message: Message?
    ///
    ///     init(id: String) { _message = LiveMessage(id) }
    ///
    ///     var body: some View {
    ///         if let message { Text(message.title) }
    ///     }
    /// }
    /// ```
    @MainActor @preconcurrency
    @propertyWrapper
    public struct LiveMessage: @preconcurrency DynamicProperty {
        @Environment(\.inbox) private var inbox
        @State private var cache = ModelCache<MessageModel>()
        private let id: String

        /// Creates a property for a message.
        ///
        /// - Parameter id: The message's id.
        public init(_ id: String) { self.id = id }

        /// The message.
        public var wrappedValue: Message? { cache.model?.message }

        /// The message's state, with the reason why there is none; nil without an inbox.
        public var projectedValue: MessageModel? { cache.model }

        /// Follows the environment's inbox and the id. SwiftUI calls it before it reads the view's body.
        public mutating func update() {
            let id = id
            cache.follow(inbox, id) { MessageModel(id, in: $0, marksRead: false) }
        }
    }
#endif
