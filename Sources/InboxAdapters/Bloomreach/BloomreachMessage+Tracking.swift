import Foundation
public import InboxModel

/// The properties of Bloomreach's `campaign` event for a message.
extension BloomreachMessage {
    /// The data of every event of the message: the address of its main action, the campaign's attributes except
    /// `event_type`, and its tags. Later ones replace earlier ones with the same name.
    ///
    /// - Parameter platform: The device's platform, such as `iOS`.
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

    /// The data of the event that the person opened the message.
    ///
    /// - Parameter platform: The device's platform, such as `iOS`.
    public func openedData(platform: String) -> [String: EventValue] {
        tracked("opened", platform: platform)
    }

    /// The data of the event that the person clicked an action. It contains `tracking_forced` if the address requests
    /// forced tracking.
    ///
    /// - Parameters:
    ///   - label: The action's label, which is `cta` in the event.
    ///   - url: The action's target.
    ///   - platform: The device's platform, such as `iOS`.
    public func clickedData(label: String, url: String, platform: String) -> [String: EventValue] {
        var data = tracked("clicked", platform: platform)
        data["cta"] = .string(label)
        data["url"] = .string(url)
        if ForcedTracking.isRequested(by: url) { data["tracking_forced"] = .bool(true) }
        return data
    }

    private func tracked(_ status: String, platform: String) -> [String: EventValue] {
        trackingData(platform: platform).merging(
            ["action_type": .string("app inbox"), "status": .string(status), "platform": .string(platform)]
        ) { _, own in own }
    }
}
