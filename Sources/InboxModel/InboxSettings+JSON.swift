package import Groundwork

/// The names of the fields of a surface's settings, in their only list.
package enum SettingsField: String, CaseIterable, Sendable {
    case title, buttonLabel, emptyTitle, emptyMessage, emptyImage, errorTitle, errorMessage
    case layout, capacity, deviceLimit, newDeviceLimit, unreadIndicator, isPullToRefreshEnabled, cardSpacing

    /// The fields that are texts.
    package static let texts: [SettingsField] = [
        .title, .buttonLabel, .emptyTitle, .emptyMessage, .errorTitle, .errorMessage,
    ]
}

extension InboxSettings {
    /// Reads a server's settings leniently. Unknown fields are ignored, and a field of another type gets its default.
    package init(lenient json: JSON) {
        self.init()
        func text(_ field: SettingsField) -> String? { json[field.rawValue]?.stringValue }
        title = text(.title)
        buttonLabel = text(.buttonLabel)
        emptyTitle = text(.emptyTitle)
        emptyMessage = text(.emptyMessage)
        emptyImage = json[SettingsField.emptyImage.rawValue].flatMap(Media.init(json:))
        errorTitle = text(.errorTitle)
        errorMessage = text(.errorMessage)
        if let raw = text(.layout) { layout = Layout(rawValue: raw) }
        capacity = json[SettingsField.capacity.rawValue]?.intValue.flatMap { $0 > 0 ? $0 : nil }
        deviceLimit = json[SettingsField.deviceLimit.rawValue].flatMap(MessageCount.init(lenient:)) ?? deviceLimit
        newDeviceLimit =
            json[SettingsField.newDeviceLimit.rawValue].flatMap(MessageCount.init(lenient:)) ?? newDeviceLimit
        if let indicator = json[SettingsField.unreadIndicator.rawValue] {
            unreadIndicator = UnreadIndicator(lenient: indicator)
        }
        isPullToRefreshEnabled =
            json[SettingsField.isPullToRefreshEnabled.rawValue]?.boolValue ?? isPullToRefreshEnabled
        cardSpacing = json[SettingsField.cardSpacing.rawValue]?.intValue ?? cardSpacing
    }

    /// The settings as a JSON object, without texts and images that aren't set.
    package var json: JSON {
        var object = JSONObject()
        func set(_ field: SettingsField, _ value: JSON?) { object[field.rawValue] = value }
        set(.title, title.map(JSON.string))
        set(.buttonLabel, buttonLabel.map(JSON.string))
        set(.emptyTitle, emptyTitle.map(JSON.string))
        set(.emptyMessage, emptyMessage.map(JSON.string))
        set(.emptyImage, emptyImage?.json)
        set(.errorTitle, errorTitle.map(JSON.string))
        set(.errorMessage, errorMessage.map(JSON.string))
        set(.layout, .string(layout.rawValue))
        set(.capacity, capacity.map { JSON($0) })
        set(.deviceLimit, deviceLimit.json)
        set(.newDeviceLimit, newDeviceLimit.json)
        set(.unreadIndicator, unreadIndicator.json)
        set(.isPullToRefreshEnabled, .bool(isPullToRefreshEnabled))
        set(.cardSpacing, JSON(cardSpacing))
        return .object(object)
    }
}

extension InboxSettings.MessageCount {
    /// The JSON value that means all messages.
    package static let allText = "all"

    init?(lenient json: JSON) {
        if json.stringValue == Self.allText {
            self = .all
        } else if let count = json.intValue, count > 0 {
            self = .atMost(count)
        } else {
            return nil
        }
    }

    var json: JSON {
        switch self {
        case .all: .string(Self.allText)
        case .atMost(let count): JSON(count)
        }
    }
}

extension UnreadIndicator {
    init(lenient json: JSON) {
        self.init()
        isShown = json["isShown"]?.boolValue ?? isShown
        if let raw = json["placement"]?.stringValue { placement = Placement(rawValue: raw) }
        size = json["size"]?.intValue ?? size
        icon = json["icon"].flatMap(Media.init(json:))
        background = json["background"]?.stringValue
        darkBackground = json["darkBackground"]?.stringValue
    }

    var json: JSON {
        var object = JSONObject([
            ("isShown", .bool(isShown)), ("placement", .string(placement.rawValue)), ("size", JSON(size)),
        ])
        object["icon"] = icon?.json
        object["background"] = background.map(JSON.string)
        object["darkBackground"] = darkBackground.map(JSON.string)
        return .object(object)
    }
}
