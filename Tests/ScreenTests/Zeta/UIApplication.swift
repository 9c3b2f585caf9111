import Foundation

/// The system, which opens addresses.
@MainActor
final class UIApplication {
    static let shared = UIApplication()
    var opened: [String] = []

    func open(_ url: URL) { opened.append(url.absoluteString) }
}
