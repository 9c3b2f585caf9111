public import Foundation
import Groundwork

/// A browser that returns to the app by a link which the system hands to it: a scheme of the app's own (RFC 8252,
/// section 7.1), or an `https` link that belongs to the app (section 7.2).
///
/// ```swift
/// let browser = LinkBrowser(redirectURI: URL(string: "com.example.mail:/signed-in")!) { page in openURL(page) }
/// // .onOpenURL { url in browser.handle(url: url) }
/// ```
public final class LinkBrowser: SignInBrowser {
    private let redirectURI: URL
    private let show: @Sendable (URL) async throws -> Void
    // Guarded by the lock: the caller that waits for the link.
    private let waiting = Locked<CheckedContinuation<URL, any Error>?>(nil)

    /// Creates a browser.
    ///
    /// - Parameters:
    ///   - redirectURI: The URL with which it returns, without a query.
    ///   - show: Opens a page in the browser.
    public init(redirectURI: URL, show: @escaping @Sendable (_ page: URL) async throws -> Void) {
        (self.redirectURI, self.show) = (redirectURI, show)
    }

    /// Returns the URL with which it returns.
    public func prepare() async throws -> URL { redirectURI }

    /// Shows a page, and waits for ``handle(url:)``.
    public func open(_ page: URL) async throws -> URL {
        try await show(page)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let earlier = waiting.withLock { waiting in
                    defer { waiting = continuation }
                    return waiting
                }
                earlier?.resume(throwing: SignInError.cancelled)
                if Task.isCancelled { end(throwing: CancellationError()) }
            }
        } onCancel: {
            end(throwing: CancellationError())
        }
    }

    /// Hands over a link that the system has opened the app with.
    ///
    /// - Returns: Whether the link belongs to a sign-in that waits for it. Others are the app's.
    @discardableResult
    public func handle(url: URL) -> Bool {
        guard url.scheme?.lowercased() == redirectURI.scheme?.lowercased(), url.host() == redirectURI.host(),
            url.path() == redirectURI.path(), let continuation = take()
        else { return false }
        continuation.resume(returning: url)
        return true
    }

    /// Cancels a sign-in that waits, such as when the person returns to the app by themselves.
    public func cancel() { end(throwing: SignInError.cancelled) }

    /// Ends the wait, if there is one.
    public func close() async { end(throwing: SignInError.cancelled) }

    private func end(throwing error: any Error) { take()?.resume(throwing: error) }

    private func take() -> CheckedContinuation<URL, any Error>? {
        waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
    }
}
