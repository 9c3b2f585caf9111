#if canImport(SwiftUI)
    public import Foundation
    public import InboxMail
    import InboxViews
    import Replica
    public import SwiftUI

    /// The threads of the environment's mail, kept up to date.
    ///
    /// ```swift
    /// struct Unread: View {
    ///     @MailThreads(where: #Predicate { $0.isInInbox && $0.isUnread }) var threads
    ///
    ///     var body: some View {
    ///         List(threads) { Text($0.subject) }
    ///     }
    /// }
    /// ```
    ///
    /// The projected value, `$threads`, has the state of the list, its counts, and the methods that extend and refresh
    /// it. A predicate or order that changes shows other threads.
    @MainActor @preconcurrency
    @propertyWrapper
    public struct MailThreads: @preconcurrency DynamicProperty {
        @Environment(\.mail) private var mail
        @State private var cache = ModelCache<ThreadListModel>()
        private let content: ThreadListModel.Content

        /// Creates a list of threads.
        ///
        /// - Parameters:
        ///   - predicate: The condition; nil for all threads.
        ///   - sort: The order; by default the latest mail first.
        ///   - limit: The number of threads. By default 50, which `loadMore()` extends.
        ///   - unreadFirst: Whether unread threads are before the others.
        public init(
            where predicate: Predicate<MailThread>? = nil,
            sort: [SortDescriptor<MailThread>] = [],
            limit: Int? = nil,
            unreadFirst: Bool = false
        ) {
            let query = Query(where: predicate, sort: sort, limit: limit)
            content = ThreadListModel.Content(query, unreadFirst: unreadFirst)
        }

        /// The threads; none without mail.
        public var wrappedValue: [MailThread] { cache.model?.threads ?? [] }

        /// The list; nil without mail.
        public var projectedValue: ThreadListModel? { cache.model }

        /// Follows the environment's mail and the query. SwiftUI calls it before it reads the view's body.
        public mutating func update() {
            let content = content
            cache.follow(mail) { ThreadListModel($0, content) }
            if let list = cache.model, !list.content.isSame(as: content) { list.content = content }
        }
    }

    /// One thread of the environment's mail, kept up to date; nil while it isn't known, and when it is gone. It isn't
    /// marked as read.
    ///
    /// ```swift
    /// struct Row: View {
    ///     @LiveThread var thread: MailThread?
    ///
    ///     init(id: String) { _thread = LiveThread(id) }
    ///
    ///     var body: some View {
    ///         if let thread { Text(thread.subject) }
    ///     }
    /// }
    /// ```
    @MainActor @preconcurrency
    @propertyWrapper
    public struct LiveThread: @preconcurrency DynamicProperty {
        @Environment(\.mail) private var mail
        @State private var cache = ModelCache<ThreadModel>()
        private let id: String

        /// Creates a property for a thread.
        ///
        /// - Parameter id: The thread's id.
        public init(_ id: String) { self.id = id }

        /// The thread.
        public var wrappedValue: MailThread? { cache.model?.thread }

        /// The thread's mails and state, with the reason why there are none; nil without mail.
        public var projectedValue: ThreadModel? { cache.model }

        /// Follows the environment's mail and the id. SwiftUI calls it before it reads the view's body.
        public mutating func update() {
            let id = id
            cache.follow(mail, id) { ThreadModel(id, in: $0, marksRead: false) }
        }
    }

    /// The number of threads in the inbox with an unread mail, of the environment's mail, kept up to date; 0 without
    /// mail.
    ///
    /// ```swift
    /// @UnreadMailCount var unread
    ///
    /// var body: some View {
    ///     TabView {
    ///         MailScreen()
    ///             .tabItem { Text("Mail") }
    ///             .badge(unread)
    ///     }
    /// }
    /// ```
    @MainActor @preconcurrency
    @propertyWrapper
    public struct UnreadMailCount: @preconcurrency DynamicProperty {
        @Environment(\.mail) private var mail
        @State private var cache = ModelCache<MailboxListModel>()

        /// Creates the count.
        public init() {}

        /// The number.
        public var wrappedValue: Int { cache.model?.counts.unreadInInbox ?? 0 }

        /// Follows the environment's mail. SwiftUI calls it before it reads the view's body.
        public mutating func update() { cache.follow(mail) { MailboxListModel($0) } }
    }
#endif
