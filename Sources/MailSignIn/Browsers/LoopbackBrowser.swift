public import Foundation
import Groundwork

/// Any browser on this machine, for terminals and Linux. It returns to a port of the machine (RFC 8252, section 7.3).
///
/// The port is a free one of 127.0.0.1, open until the browser has returned once. The person then sees a page with
/// the note that it can be closed.
public final class LoopbackBrowser: SignInBrowser {
    private let path: String
    private let show: @Sendable (URL) async throws -> Void
    // Guarded by the lock: the listener between `prepare` and `close`.
    private let listener = Locked<LoopbackListener?>(nil)

    /// Creates a browser.
    ///
    /// - Parameters:
    ///   - path: The path of the URL to which the browser returns. A client id that an authorization server has
    ///     assigned may require a certain one.
    ///   - show: Shows a page: prints its URL, or opens it in a browser. The URL has no token and no code.
    public init(path: String = "/signed-in", show: @escaping @Sendable (_ page: URL) async throws -> Void) {
        self.path = path.hasPrefix("/") ? path : "/\(path)"
        self.show = show
    }

    /// Opens the port, and returns its URL.
    ///
    /// - Throws: ``SignInError`` with the code `noBrowser`.
    public func prepare() async throws -> URL {
        let new = try LoopbackListener(path: path)
        listener.withLock { $0 = new }
        guard let url = URL(string: "http://127.0.0.1:\(new.port)\(path)") else {
            new.stop()
            throw SignInError(.noBrowser, "The path isn't one of a URL.")
        }
        return url
    }

    /// Shows a page, and waits until the browser returns.
    ///
    /// - Throws: ``SignInError`` with the code `noBrowser`; the errors of the closure that shows the page.
    ///   `CancellationError` if the task is cancelled.
    public func open(_ page: URL) async throws -> URL {
        guard let listener = listener.withLock({ $0 }) else {
            throw SignInError(.noBrowser, "The port for the browser isn't open.")
        }
        try await show(page)
        return try await listener.returned()
    }

    /// Closes the port.
    public func close() async {
        listener.withLock { listener in
            listener?.stop()
            listener = nil
        }
    }
}
