import Groundwork
package import InboxModel

/// From their settings to ours, and back.
extension AdobeInboxSettings {
    /// The settings as ours; what Adobe's don't say has its default.
    ///
    /// - Throws: ``AdapterError`` where they say what settings of ours can't.
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
            throw AdapterError(.notAcceptable, at: theirs(of: error.pointer), error.problem)
        }
    }

    private func theirs(of ours: JSONPointer) -> JSONPointer {
        for (own, their) in Self.places where ours.tokens.starts(with: own) {
            return JSONPointer(place.tokens + their + ours.tokens.dropFirst(own.count))
        }
        return place
    }

    private static let places: [(own: [String], their: [String])] = [
        (["title"], ["heading", "content"]), (["emptyMessage"], ["emptyStateSettings", "message", "content"]),
        (["emptyImage"], ["emptyStateSettings", "image"]), (["capacity"], ["capacity"]),
        (["unreadIndicator", "icon"], ["unread_indicator", "unread_icon", "image"]),
    ]
}

extension AdobeItem {
    /// Settings of ours as an item of Adobe's; what Adobe's have no field for is left out.
    ///
    /// - Parameter id: The item's.
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
