/// The style of all screens, as a tree. A ``StyledAppInboxProvider`` applies it.
///
/// ```swift
/// let style = AppInboxStyle(appInboxButton: ButtonStyle(backgroundColor: "#FFD500", borderRadius: "4px"))
/// Exponea.shared.appInboxProvider = StyledAppInboxProvider(style)
/// ```
///
/// A value in a notation that isn't known has no effect, and is among the ``problems``.
public struct AppInboxStyle: Hashable, Sendable, Encodable {
    /// The button that opens the list.
    public var appInboxButton: ButtonStyle?
    /// The screen with one message.
    public var detailView: DetailViewStyle?
    /// The screen with the list.
    public var listView: ListScreenStyle?

    /// Creates a style. By default it changes nothing.
    public init(
        appInboxButton: ButtonStyle? = nil,
        detailView: DetailViewStyle? = nil,
        listView: ListScreenStyle? = nil
    ) {
        self.appInboxButton = appInboxButton
        self.detailView = detailView
        self.listView = listView
    }
}

/// The style of the screen with the list.
public struct ListScreenStyle: Hashable, Sendable, Encodable {
    /// The title of an empty list.
    public var emptyTitle: TextViewStyle?
    /// The text below ``emptyTitle``.
    public var emptyMessage: TextViewStyle?
    /// The title of a list that couldn't be loaded.
    public var errorTitle: TextViewStyle?
    /// The text below ``errorTitle``.
    public var errorMessage: TextViewStyle?
    /// The progress indicator.
    public var progress: ProgressBarStyle?
    /// The list.
    public var list: AppInboxListViewStyle?

    /// Creates a style. By default it changes nothing.
    public init(
        emptyTitle: TextViewStyle? = nil,
        emptyMessage: TextViewStyle? = nil,
        errorTitle: TextViewStyle? = nil,
        errorMessage: TextViewStyle? = nil,
        progress: ProgressBarStyle? = nil,
        list: AppInboxListViewStyle? = nil
    ) {
        self.emptyTitle = emptyTitle
        self.emptyMessage = emptyMessage
        self.errorTitle = errorTitle
        self.errorMessage = errorMessage
        self.progress = progress
        self.list = list
    }
}

/// The style of the list.
public struct AppInboxListViewStyle: Hashable, Sendable, Encodable {
    /// The color behind the rows, in a notation of ``AppInboxColor``.
    public var backgroundColor: String?
    /// The rows.
    public var item: AppInboxListItemStyle?

    /// Creates a style. By default it changes nothing.
    public init(backgroundColor: String? = nil, item: AppInboxListItemStyle? = nil) {
        self.backgroundColor = backgroundColor
        self.item = item
    }
}

/// The style of a row.
public struct AppInboxListItemStyle: Hashable, Sendable, Encodable {
    /// The color of the row, in a notation of ``AppInboxColor``.
    public var backgroundColor: String?
    /// The flag of an unread message.
    public var readFlag: ImageViewStyle?
    /// The relative time.
    public var receivedTime: TextViewStyle?
    /// The title.
    public var title: TextViewStyle?
    /// The text.
    public var content: TextViewStyle?
    /// The picture.
    public var image: ImageViewStyle?

    /// Creates a style. By default it changes nothing.
    public init(
        backgroundColor: String? = nil,
        readFlag: ImageViewStyle? = nil,
        receivedTime: TextViewStyle? = nil,
        title: TextViewStyle? = nil,
        content: TextViewStyle? = nil,
        image: ImageViewStyle? = nil
    ) {
        self.backgroundColor = backgroundColor
        self.readFlag = readFlag
        self.receivedTime = receivedTime
        self.title = title
        self.content = content
        self.image = image
    }
}

/// The style of the screen with one message.
public struct DetailViewStyle: Hashable, Sendable, Encodable {
    /// The title.
    public var title: TextViewStyle?
    /// The text.
    public var content: TextViewStyle?
    /// The relative time.
    public var receivedTime: TextViewStyle?
    /// The picture.
    public var image: ImageViewStyle?
    /// All buttons.
    public var button: ButtonStyle?

    /// Creates a style. By default it changes nothing.
    public init(
        title: TextViewStyle? = nil,
        content: TextViewStyle? = nil,
        receivedTime: TextViewStyle? = nil,
        image: ImageViewStyle? = nil,
        button: ButtonStyle? = nil
    ) {
        self.title = title
        self.content = content
        self.receivedTime = receivedTime
        self.image = image
        self.button = button
    }
}
