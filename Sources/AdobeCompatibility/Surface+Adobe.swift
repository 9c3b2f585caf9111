import Foundation
public import InboxModel

/// Surfaces with Adobe's naming, by URI.
extension Surface {
    /// Creates the app's surface at a path: `mobileapp://<bundle id>/<path>`, or the surface of the app as a whole if
    /// the path is empty.
    public init(path: String) {
        let base = "mobileapp://\(Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName)"
        self.init(path.isEmpty ? base : "\(base)/\(path)")
    }

    /// Creates the surface of the app as a whole.
    public init() {
        self.init(path: "")
    }

    /// The URI, which is the surface's name.
    public var uri: String { name }

    /// Whether the name is a URI.
    public var isValid: Bool {
        name.contains("://") && URL(string: name)?.scheme?.isEmpty == false
    }
}
