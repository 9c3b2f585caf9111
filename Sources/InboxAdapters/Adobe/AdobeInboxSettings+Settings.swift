import Groundwork
package import InboxModel

/// Conversion between Adobe's settings and this package's.
extension AdobeInboxSettings {
    /// Converts the settings. Settings that Adobe doesn't have get their defaults.
    ///
    /// - Throws: ``AdapterError`` if a value isn't possible in this package's settings.
    package func adapted() throws(AdapterError) -> InboxSettings {
        var settings = InboxSettings()
        settings.title = heading
        settings.emptyMessage = emptyMessage
        settings.emptyImage = emptyImage
        settings.layout = orientation
        settings.capacity = capacity
        settings.unreadIndicator.isShown = isUnreadEnabled
        if let unreadIndicator {
            settings.unreadIndicator.placement = unreadIndicator.placement ?? settings.unreadIndicator.placement
            settings.unreadIndicator.icon = unreadIndicator.icon
            settings.unreadIndicator.background = unreadIndicator.background
            settings.unreadIndicator.darkBackground = unreadIndicator.darkBackground
        }
        do {
            return try InboxSettings(checking: JSONReader(settings.json))
        } catch {
            throw AdapterError(.notAcceptable, at: sourceLocation(of: error.pointer), error.problem)
        }
    }

    private func sourceLocation(of ours: JSONPointer) -> JSONPointer {
        for (own, their) in Self.locations where ours.tokens.starts(with: own) {
            return JSONPointer(location.tokens + their + ours.tokens.dropFirst(own.count))
        }
        return location
    }

    private static let locations: [(own: [String], their: [String])] = [
        (["title"], ["heading", "content"]), (["emptyMessage"], ["emptyStateSettings", "message", "content"]),
        (["capacity"], ["capacity"]),
    ]
}

extension AdobeItem {
    /// Creates an item from settings. Settings that Adobe doesn't have are omitted.
    ///
    /// - Parameter id: The item's id.
    package init(id: String, _ settings: InboxSettings) {
        var content = JSONObject([
            ("layout", ["orientation": .string(settings.layout == .horizontal ? "horizontal" : "vertical")]),
            ("capacity", JSON(settings.capacity ?? 0)),
        ])
        content["heading"] = settings.title.map(JSON.init(adobeText:))
        var empty = JSONObject()
        empty["message"] = settings.emptyMessage.map(JSON.init(adobeText:))
        empty["image"] = settings.emptyImage?.json
        content["emptyStateSettings"] = empty.isEmpty ? nil : .object(empty)
        let own = settings.unreadIndicator
        var indicator = JSONObject()
        if let light = own.background ?? own.darkBackground {
            indicator["unread_bg"] = [
                "clr": ["light": .string(light), "dark": .string(own.darkBackground ?? light)]
            ]
        }
        let corner = AdobeInboxSettings.corners.first { $0.placement == own.placement }?.name
        indicator["unread_icon"] = own.icon.map { ["placement": .string(corner ?? ""), "image": $0.json] }
        content["unread_indicator"] = indicator.isEmpty ? nil : .object(indicator)
        content["isUnreadEnabled"] = .bool(own.isShown)
        self.init(id: id, schema: .inbox, data: JSONObject([("content", .object(content))]))
    }
}
