import Foundation

/// Forced tracking: links with the query item `xnpe_force_track` are tracked regardless of the person's consent.
public enum ForcedTracking {
    /// The name of the query item, as in Bloomreach's SDK.
    public static let queryItem = "xnpe_force_track"

    /// Whether a link has the query item, without a value or with `true` or `1`.
    public static func isRequested(by link: String) -> Bool {
        guard let items = URLComponents(string: link)?.queryItems else { return false }
        return items.contains { item in
            item.name == queryItem && [nil, "", "true", "1"].contains(item.value)
        }
    }
}
