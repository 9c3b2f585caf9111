// Declarations of the part of AuthenticationServices' API that this package uses, from Apple's public documentation. A
// sheet opens nothing.
//
// https://developer.apple.com/documentation/authenticationservices
@_exported public import Foundation

#if canImport(UIKit)
    public import UIKit

    public typealias ASPresentationAnchor = UIWindow
#elseif canImport(AppKit)
    public import AppKit

    public typealias ASPresentationAnchor = NSWindow
#endif

open class ASWebAuthenticationSession: NSObject {
    public typealias CompletionHandler = (URL?, (any Error)?) -> Void
    public init(url URL: URL, callbackURLScheme: String?, completionHandler: @escaping CompletionHandler) {}
    open weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?
    open var prefersEphemeralWebBrowserSession = false
    @discardableResult
    open func start() -> Bool { false }
    open func cancel() {}
}

@MainActor
public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

public struct ASWebAuthenticationSessionError: Error {
    public enum Code: Int, Sendable {
        case canceledLogin = 1, presentationContextNotProvided, presentationContextInvalid
    }
    public let code: Code
}
