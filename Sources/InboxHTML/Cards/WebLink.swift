import InboxModel

/// Validation of external addresses for use in a page.
package enum WebLink {
    /// Returns a link if it is a web address or a deep link into an app. Returns nil if its scheme runs code or
    /// accesses the device.
    package static func checked(_ link: String) -> String? {
        guard let scheme = LinkScheme(of: link), scheme.isWeb || !scheme.isForbidden else { return nil }
        return link
    }

    /// Returns the address of an image, or nil if it isn't a web address.
    static func picture(_ address: String?) -> String? {
        guard let address, let scheme = LinkScheme(of: address), scheme.isWeb else { return nil }
        return address
    }
}
