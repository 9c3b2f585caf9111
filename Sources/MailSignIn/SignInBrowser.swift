public import Foundation

/// A browser in which the person signs in, and the way back from it.
public protocol SignInBrowser: Sendable {
    /// Prepares the way back.
    ///
    /// - Returns: The URL to which the authorization server redirects, without a query.
    /// - Throws: ``SignInError``, with the code `noBrowser`.
    func prepare() async throws -> URL

    /// Shows a page, and waits until the browser returns.
    ///
    /// - Returns: The URL with which it returns, which is checked later.
    /// - Throws: ``SignInError``: `cancelled` if the person closes the browser, `noBrowser`. `CancellationError` if the
    ///   task is cancelled, also because the person takes too long.
    func open(_ page: URL) async throws -> URL

    /// Ends the way back. Called once after each ``prepare()`` that succeeded.
    func close() async
}
