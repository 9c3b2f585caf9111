import Foundation
public import InboxModel

/// What Bloomreach's event `campaign` says of a message.
extension BloomreachMessage {
    /// What every event of the message says: the address of a tap on it, the campaign's attributes but `event_type`,
    /// and its tags. Of the same name, the last of these wins.
    ///
    /// - Parameter platform: The device's, such as `iOS`.
    public func trackingData(platform: String) -> [String: EventValue] {
        var data: [String: EventValue] = [
            "status": .string("clicked"), "cta": .string("notification"), "platform": .string(platform),
        ]
        if let url = mainAction?.url, !url.isEmpty { data["url"] = .string(url) }
        data.merge(attributes) { _, later in later }
        data["event_type"] = nil
        data.merge(urlParams) { _, later in later }
        return data
    }

    /// What is told when the person opened the message.
    public func openedData(platform: String) -> [String: EventValue] {
        tracked("opened", platform: platform)
    }

    /// What is told when the person clicked an action, with `tracking_forced` where its address asks for that.
    ///
    /// - Parameters:
    ///   - label: The action's; `cta` in the event.
    ///   - url: Where the action leads.
    ///   - platform: The device's, such as `iOS`.
    public func clickedData(label: String, url: String, platform: String) -> [String: EventValue] {
        var data = tracked("clicked", platform: platform)
        data["cta"] = .string(label)
        data["url"] = .string(url)
        if ForcedTracking.isAsked(by: url) { data["tracking_forced"] = .bool(true) }
        return data
    }

    private func tracked(_ status: String, platform: String) -> [String: EventValue] {
        trackingData(platform: platform).merging(
            ["action_type": .string("app inbox"), "status": .string(status), "platform": .string(platform)]
        ) { _, own in own }
    }
}
