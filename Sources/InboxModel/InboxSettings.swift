/// The appearance and limits of a surface, which the app's backend sets for all devices.
///
/// A text that is nil is replaced by the app's own, in the person's language. `Documentation/Surfaces.md` lists the
/// fields with their limits.
public struct InboxSettings: Hashable, Sendable {
    /// The heading.
    public var title: String?
    /// The label of the button that opens the inbox.
    public var buttonLabel: String?
    /// The headline of the empty state.
    public var emptyTitle: String?
    /// The text below ``emptyTitle``.
    public var emptyMessage: String?
    /// The image above ``emptyTitle``.
    public var emptyImage: Media?
    /// The headline of the error state, when messages can't be loaded.
    public var errorTitle: String?
    /// The text below ``errorTitle``.
    public var errorMessage: String?
    /// The direction in which messages are laid out.
    public var layout: Layout
    /// The number of messages shown at first, and added each time the person requests more. Nil for no limit.
    public var capacity: Int?
    /// The number of active messages that a device keeps.
    public var deviceLimit: MessageCount
    /// The number of messages that a new device fetches first.
    public var newDeviceLimit: MessageCount
    /// The appearance of unread messages.
    public var unreadIndicator: UnreadIndicator
    /// Whether pull to refresh is enabled.
    public var isPullToRefreshEnabled: Bool
    /// The space between messages, in points.
    public var cardSpacing: Int

    /// Creates settings. Parameters that are omitted have their defaults.
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
        /// All messages. Its JSON value is `"all"`.
        case all
        /// At most the given number of messages, the newest ones.
        case atMost(Int)
    }

    /// The direction in which messages are laid out.
    public enum Layout: Hashable, Sendable {
        /// From top to bottom.
        case vertical
        /// From the leading to the trailing edge.
        case horizontal
        /// A value that this version doesn't know. It is preserved.
        case other(String)

        /// The value in JSON.
        public var rawValue: String {
            switch self {
            case .vertical: "vertical"
            case .horizontal: "horizontal"
            case .other(let raw): raw
            }
        }

        /// Creates a layout from its value in JSON. It never fails.
        public init(rawValue: String) {
            switch rawValue {
            case "vertical": self = .vertical
            case "horizontal": self = .horizontal
            default: self = .other(rawValue)
            }
        }
    }
}

/// The appearance of unread messages.
public struct UnreadIndicator: Hashable, Sendable {
    /// Whether the unread indicator is shown.
    public var isShown: Bool
    /// The corner of the indicator.
    public var placement: Placement
    /// The size of the indicator, in points.
    public var size: Int
    /// An image that replaces the default indicator.
    public var icon: Media?
    /// The background of an unread message, `#RRGGBB` or `#RRGGBBAA`. Nil for the default background.
    public var background: String?
    /// The ``background`` in dark mode.
    public var darkBackground: String?

    /// Creates an indicator. Parameters that are omitted have their defaults.
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
        /// The corner with this name.
        case topLeft, topRight, bottomLeft, bottomRight
        /// A value that this version doesn't know. It is preserved.
        case other(String)

        /// The values that a backend may set.
        package static let known: [Placement] = [.topLeft, .topRight, .bottomLeft, .bottomRight]

        /// The value in JSON.
        public var rawValue: String {
            switch self {
            case .topLeft: "topLeft"
            case .topRight: "topRight"
            case .bottomLeft: "bottomLeft"
            case .bottomRight: "bottomRight"
            case .other(let raw): raw
            }
        }

        /// Creates a placement from its value in JSON. It never fails.
        public init(rawValue: String) {
            self = Self.known.first { $0.rawValue == rawValue } ?? .other(rawValue)
        }
    }
}
