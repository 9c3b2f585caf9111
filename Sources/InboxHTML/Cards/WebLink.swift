import InboxModel

/// Addresses from outside, as far as a page may have them.
package enum WebLink {
    /// A link as it may stand in a page: a web address or a deep link into an app; nil for all that runs code or
    /// reaches into the device.
    package static func checked(_ link: String) -> String? {
        guard let scheme = LinkScheme(of: link), scheme.isWeb || !scheme.isForbidden else { return nil }
        return link
    }

    /// The address of a picture; nil where it isn't on the web.
    static func picture(_ address: String?) -> String? {
        guard let address, let scheme = LinkScheme(of: address), scheme.isWeb else { return nil }
        return address
    }
}
