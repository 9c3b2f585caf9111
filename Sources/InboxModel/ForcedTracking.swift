import Foundation

/// Links that ask to be tracked whatever the person's consent: those with `xnpe_force_track` in the query.
public enum ForcedTracking {
    /// The query item's name, as Bloomreach's SDK has it.
    public static let queryItem = "xnpe_force_track"

    /// Whether a link has the query item, without a value or with `true` or `1`.
    public static func isAsked(by link: String) -> Bool {
        guard let items = URLComponents(string: link)?.queryItems else { return false }
        return items.contains { item in
            item.name == queryItem && [nil, "", "true", "1"].contains(item.value)
        }
    }
}
