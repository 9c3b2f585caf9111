/// How a surface shows its messages: what the app's backend sets for all devices.
///
/// A text that is nil is the app's own, in the person's language. `Documentation/Surfaces.md` lists the fields with
/// their limits.
public struct InboxSettings: Hashable, Sendable {
    /// The heading.
    public var title: String?
    /// The label of the button that opens the inbox.
    public var buttonLabel: String?
    /// What stands where there are no messages.
    public var emptyTitle: String?
    /// The text below ``emptyTitle``.
    public var emptyMessage: String?
    /// The picture above ``emptyTitle``.
    public var emptyImage: Media?
    /// What stands where messages can't be had.
    public var errorTitle: String?
    /// The text below ``errorTitle``.
    public var errorMessage: String?
    /// In which direction the messages follow each other.
    public var layout: Layout
    /// How many messages are shown at first, and how many more whenever the person asks for more; nil for no such
    /// limit.
    public var capacity: Int?
    /// How many active messages a device keeps.
    public var deviceLimit: MessageCount
    /// How many messages a new device fetches first.
    public var newDeviceLimit: MessageCount
    /// How unread messages are marked.
    public var unreadIndicator: UnreadIndicator
    /// Whether pulling the list down asks for news.
    public var isPullToRefreshEnabled: Bool
    /// The space between two messages, in points.
    public var cardSpacing: Int

    /// Makes settings; what isn't given has its default.
    public init(
        title: String? = nil,
        buttonLabel: String? = nil,
        emptyTitle: String? = nil,
        emptyMessage: String? = nil,
        emptyImage: Media? = nil,
        errorTitle: String? = nil,
        errorMessage: String? = nil,
        layout: Layout = .vertical,
        capacity: Int? = nil,
        deviceLimit: MessageCount = .atMost(200),
        newDeviceLimit: MessageCount = .atMost(50),
        unreadIndicator: UnreadIndicator = UnreadIndicator(),
        isPullToRefreshEnabled: Bool = false,
        cardSpacing: Int = 16
    ) {
        self.title = title
        self.buttonLabel = buttonLabel
        self.emptyTitle = emptyTitle
        self.emptyMessage = emptyMessage
        self.emptyImage = emptyImage
        self.errorTitle = errorTitle
        self.errorMessage = errorMessage
        self.layout = layout
        self.capacity = capacity
        self.deviceLimit = deviceLimit
        self.newDeviceLimit = newDeviceLimit
        self.unreadIndicator = unreadIndicator
        self.isPullToRefreshEnabled = isPullToRefreshEnabled
        self.cardSpacing = cardSpacing
    }

    /// A number of messages.
    public enum MessageCount: Hashable, Sendable {
        /// All that there are: the wire's `"all"`.
        case all
        /// The newest ones, so many.
        case atMost(Int)
    }

    /// In which direction messages follow each other.
    public enum Layout: Hashable, Sendable {
        /// From top to bottom.
        case vertical
        /// From the leading edge on.
        case horizontal
        /// A value that this version doesn't know, kept as it came.
        case other(String)

        /// The wire's spelling.
        public var rawValue: String {
            switch self {
            case .vertical: "vertical"
            case .horizontal: "horizontal"
            case .other(let raw): raw
            }
        }

        /// Reads the wire's spelling; never fails.
        public init(rawValue: String) {
            switch rawValue {
            case "vertical": self = .vertical
            case "horizontal": self = .horizontal
            default: self = .other(rawValue)
            }
        }
    }
}

/// How unread messages are marked.
public struct UnreadIndicator: Hashable, Sendable {
    /// Whether they are marked at all.
    public var isShown: Bool
    /// In which corner.
    public var placement: Placement
    /// The size of the mark, in points.
    public var size: Int
    /// A picture in place of the mark.
    public var icon: Media?
    /// The background of an unread message, `#RRGGBB` or `#RRGGBBAA`; nil for the usual one.
    public var background: String?
    /// ``background`` where the screen is dark.
    public var darkBackground: String?

    /// Makes an indicator; what isn't given has its default.
    public init(
        isShown: Bool = true,
        placement: Placement = .topLeft,
        size: Int = 16,
        icon: Media? = nil,
        background: String? = nil,
        darkBackground: String? = nil
    ) {
        self.isShown = isShown
        self.placement = placement
        self.size = size
        self.icon = icon
        self.background = background
        self.darkBackground = darkBackground
    }

    /// A corner of a message.
    public enum Placement: Hashable, Sendable {
        /// The corner's name.
        case topLeft, topRight, bottomLeft, bottomRight
        /// A value that this version doesn't know, kept as it came.
        case other(String)

        /// Those that a backend may set.
        package static let known: [Placement] = [.topLeft, .topRight, .bottomLeft, .bottomRight]

        /// The wire's spelling.
        public var rawValue: String {
            switch self {
            case .topLeft: "topLeft"
            case .topRight: "topRight"
            case .bottomLeft: "bottomLeft"
            case .bottomRight: "bottomRight"
            case .other(let raw): raw
            }
        }

        /// Reads the wire's spelling; never fails.
        public init(rawValue: String) {
            self = Self.known.first { $0.rawValue == rawValue } ?? .other(rawValue)
        }
    }
}
