#if canImport(AuthenticationServices)
    public import AuthenticationServices
    public import Foundation

    #if canImport(UIKit)
        public import UIKit
    #elseif canImport(AppKit)
        public import AppKit
    #endif

    /// The browser sheet of Apple's systems (`ASWebAuthenticationSession`), which shares the person's sign-ins with
    /// Safari and shows the page's address.
    @MainActor public final class WebAuthenticationBrowser: NSObject, SignInBrowser {
        private let scheme: String
        private let redirectURI: URL
        private let anchor: ASPresentationAnchor?
        private let isEphemeral: Bool
        private var session: ASWebAuthenticationSession?

        /// Creates a browser.
        ///
        /// - Parameters:
        ///   - scheme: A scheme of the app's own, in reverse domain notation, such as `com.example.mail` (RFC 8252,
        ///     section 7.1).
        ///   - anchor: The window over which it appears; nil for the one that has the keyboard then.
        ///   - isEphemeral: Whether it starts without the person's cookies, and keeps none.
        public init(scheme: String, anchor: ASPresentationAnchor? = nil, isEphemeral: Bool = false) {
            (self.scheme, self.anchor, self.isEphemeral) = (scheme, anchor, isEphemeral)
            var parts = URLComponents()
            (parts.scheme, parts.path) = (scheme, "/signed-in")
            redirectURI = parts.url ?? URL(filePath: "/signed-in")
        }

        /// Returns the URL to which the browser returns: the scheme, and the path `/signed-in`.
        public func prepare() async throws -> URL { redirectURI }

        /// Shows a page, and waits until it returns to the app.
        @MainActor public func open(_ page: URL) async throws -> URL {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let session = ASWebAuthenticationSession(url: page, callbackURLScheme: scheme) { url, error in
                        if let url { return continuation.resume(returning: url) }
                        let code = (error as? ASWebAuthenticationSessionError)?.code
                        let failure =
                            code == .canceledLogin
                            ? SignInError(.cancelled, "The sign-in was cancelled.")
                            : SignInError(.noBrowser, "The browser can't be opened.")
                        continuation.resume(throwing: failure)
                    }
                    session.presentationContextProvider = self
                    session.prefersEphemeralWebBrowserSession = isEphemeral
                    self.session = session
                    // If it can't start, it calls the handler with an error.
                    session.start()
                }
            } onCancel: {
                Task { @MainActor in self.session?.cancel() }
            }
        }

        /// Closes the sheet.
        @MainActor public func close() async {
            session?.cancel()
            session = nil
        }
    }

    extension WebAuthenticationBrowser: ASWebAuthenticationPresentationContextProviding {
        /// Returns the window over which the sheet appears.
        public func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
            anchor ?? Self.keyWindow
        }

        private static var keyWindow: ASPresentationAnchor {
            #if canImport(UIKit)
                let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
                let scene = scenes.first { $0.activationState == .foregroundActive } ?? scenes.first
                return scene?.keyWindow ?? UIWindow(frame: .zero)
            #else
                return NSApplication.shared.keyWindow ?? NSWindow()
            #endif
        }
    }
#endif
