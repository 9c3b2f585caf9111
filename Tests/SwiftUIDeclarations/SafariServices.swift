// Declarations of the part of SafariServices that this package uses, from Apple's public documentation.
//
// https://developer.apple.com/documentation/safariservices/sfsafariviewcontroller
public import UIKit

@MainActor
open class SFSafariViewController: UIViewController {
    /// The address; not part of Apple's API.
    @_spi(Running) public let url: URL
    public init(url URL: URL) {
        url = URL
        super.init(nibName: nil, bundle: nil)
    }
    public required init?(coder: NSCoder) { nil }
}
