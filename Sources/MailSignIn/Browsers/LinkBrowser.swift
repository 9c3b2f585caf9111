public import Foundation
import Groundwork

/// A browser that returns to the app by a link that the system delivers: a scheme of the app's own (RFC 8252, section
/// 7.1), or an `https` link that belongs to the app (section 7.2).
///
/// ```swift
/// let browser = LinkBrowser(redirectURI: URL(string: "com.example.mail:/signed-in")!) { page in await openURL(page) }
/// // With the link that opens the app, such as in SwiftUI's `onOpenURL`:
/// browser.handle(url: link)
/// ```
public final class LinkBrowser: SignInBrowser {
    private let redirectURI: URL
    private let show: @Sendable (URL) async throws -> Void
    private enum State {
        case idle
        /// A page is being shown. The link may arrive before the caller waits for it.
        case showing
        case arrived(Result<URL, any Error>)
        case waiting(CheckedContinuation<URL, any Error>)
    }

    // Guarded by the lock: whether a caller waits for the link.
    private let state = Locked(State.idle)

    /// Creates a browser.
    ///
    /// - Parameters:
    ///   - redirectURI: The URL to which the browser returns, without a query.
    ///   - show: Opens a page in the browser.
    public init(redirectURI: URL, show: @escaping @Sendable (_ page: URL) async throws -> Void) {
        (self.redirectURI, self.show) = (redirectURI, show)
    }

    /// Returns the URL to which the browser returns.
    public func prepare() async throws -> URL { redirectURI }

    /// Shows a page, and waits for ``handle(url:)``. An earlier call that still waits throws `cancelled`.
    ///
    /// - Throws: ``SignInError`` with the code `cancelled`; the errors of the closure that opens the page.
    ///   `CancellationError` if the task is cancelled.
    public func open(_ page: URL) async throws -> URL {
        end(with: .failure(SignInError.cancelled))
        state.withLock { $0 = .showing }
        do {
            try await show(page)
        } catch {
            state.withLock { $0 = .idle }
            throw error
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let arrived = state.withLock { state -> Result<URL, any Error>? in
                    switch state {
                    case .showing:
                        state = .waiting(continuation)
                        return nil
                    case .arrived(let result):
                        state = .idle
                        return result
                    case .idle, .waiting: return .failure(SignInError.cancelled)
                    }
                }
                if let arrived { continuation.resume(with: arrived) }
                if Task.isCancelled { end(with: .failure(CancellationError())) }
            }
        } onCancel: {
            end(with: .failure(CancellationError()))
        }
    }

    /// Hands over a link that the system has opened the app with.
    ///
    /// - Returns: Whether the link belongs to a sign-in that waits for it. Others are the app's.
    @discardableResult
    public func handle(url: URL) -> Bool {
        guard url.scheme?.lowercased() == redirectURI.scheme?.lowercased(), url.host() == redirectURI.host(),
            url.path() == redirectURI.path()
        else { return false }
        return end(with: .success(url))
    }

    /// Cancels a sign-in that waits, such as when the person returns to the app by themselves.
    public func cancel() { end(with: .failure(SignInError.cancelled)) }

    /// Ends the wait, if there is one.
    public func close() async { end(with: .failure(SignInError.cancelled)) }

    /// Ends the sign-in that waits, or is about to. Returns whether there is one.
    @discardableResult
    private func end(with result: Result<URL, any Error>) -> Bool {
        let (isOpen, waiting) = state.withLock { state -> (Bool, CheckedContinuation<URL, any Error>?) in
            switch state {
            case .idle, .arrived: return (false, nil)
            case .showing:
                state = .arrived(result)
                return (true, nil)
            case .waiting(let continuation):
                state = .idle
                return (true, continuation)
            }
        }
        waiting?.resume(with: result)
        return isOpen
    }
}
