import Foundation
public import InboxModel

/// Surfaces as Adobe names them: by a URI.
extension Surface {
    /// The app's surface of a path: `mobileapp://<bundle id>/<path>`; without a path that of the app as a whole.
    public init(path: String) {
        let base = "mobileapp://\(Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName)"
        self.init(path.isEmpty ? base : "\(base)/\(path)")
    }

    /// The app's surface as a whole.
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
