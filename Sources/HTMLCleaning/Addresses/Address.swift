/// An absolute URL in the one spelling in which the cleaner writes it.
///
/// It is read as browsers read it (URL Standard, section 4.4): white space around it and tabs and line feeds within it
/// are removed, the scheme is in lowercase, and a backslash of a web address is a slash. What remains of another
/// spelling, such as control characters, names and passwords, or a host with a percent sign, makes it invalid.
struct Address: Hashable, Sendable {
    let scheme: String
    /// The host in lowercase with its port, if it isn't the scheme's own. It is empty if there is none.
    let authority: String
    /// The path, with everything but ASCII percent-encoded.
    let path: String
    let query: String?
    let fragment: String?
    private let hasAuthority: Bool

    /// Schemes that no option allows: they run code, or read what belongs to the device or to the page.
    static let forbiddenSchemes: Set<String> = [
        "about", "blob", "chrome", "chrome-extension", "content", "data", "feed", "file", "filesystem", "intent", "jar",
        "javascript", "jscript", "livescript", "mocha", "ms-its", "mhtml", "mk", "resource", "vbs", "vbscript",
        "view-source", "wyciwyg",
    ]

    /// The longest address that is read, in bytes.
    static let maximumLength = 16_384

    /// Reads an address. Returns nil if it is relative, invalid or too long.
    ///
    /// An address that begins with two slashes has the scheme `https`.
    init?(_ text: String) {
        guard let bytes = Self.stripped(text) else { return nil }
        var rest = bytes[...]
        if let scheme = Self.scheme(of: bytes) {
            self.scheme = scheme
            rest = bytes[(scheme.utf8.count + 1)...]
        } else {
            guard bytes.count > 2, bytes.prefix(2).allSatisfy({ Self.isSlash($0) }) else { return nil }
            scheme = "https"
        }
        let isWeb = scheme == "http" || scheme == "https"
        var fragment: ArraySlice<UInt8>?
        var query: ArraySlice<UInt8>?
        if let index = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = rest[(index + 1)...]
            rest = rest[..<index]
        }
        if let index = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[(index + 1)...]
            rest = rest[..<index]
        }
        if isWeb {
            rest = rest.map { Self.isSlash($0) ? UInt8(ascii: "/") : $0 }[...]
            rest = rest.drop { $0 == UInt8(ascii: "/") }
            hasAuthority = true
        } else {
            hasAuthority = rest.starts(with: "//".utf8)
            if hasAuthority { rest = rest.dropFirst(2) }
        }
        if hasAuthority {
            let host = rest.prefix { $0 != UInt8(ascii: "/") }
            guard let authority = Self.authority(host, scheme: scheme), !(isWeb && authority.isEmpty) else {
                return nil
            }
            self.authority = authority
            rest = rest.dropFirst(host.count)
        } else {
            authority = ""
        }
        path = Self.encoded(rest)
        self.query = query.map(Self.encoded)
        self.fragment = fragment.map(Self.encoded)
        if scheme.isEmpty || (!isWeb && authority.isEmpty && path.isEmpty && self.query == nil) { return nil }
    }

    /// The origin of an address in a policy (CSP Level 3, section 2.3.1): scheme and authority of a web address, or
    /// `data:`. Nil for another address, and for a host that a policy can't name, such as one in another script.
    static func origin(of text: String) -> String? {
        if text.hasPrefix("data:") { return "data:" }
        guard let address = Address(text), ["http", "https"].contains(address.scheme) else { return nil }
        let isPlain = address.authority.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "-._:[]".utf8.contains(byte)
            }
        }
        return isPlain ? "\(address.scheme)://\(address.authority)" : nil
    }

    /// The address as text.
    var text: String {
        var text = scheme + ":" + (hasAuthority ? "//" : "") + authority + path
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }

    /// Whether a click on `other` is one on this address: scheme, host, path and query are equal, and an empty path
    /// equals `/`.
    func matches(_ other: Address) -> Bool {
        scheme == other.scheme && authority == other.authority && (query ?? "") == (other.query ?? "")
            && comparedPath == other.comparedPath
    }

    /// The path without dot segments (RFC 3986, section 5.2.4).
    var comparedPath: String {
        guard hasAuthority else { return path }
        var segments: [Substring] = []
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            switch part.lowercased() {
            case ".", "%2e": if isLast { segments.append("") }
            case "..", ".%2e", "%2e.", "%2e%2e":
                _ = segments.popLast()
                if isLast { segments.append("") }
            default: segments.append(part)
            }
        }
        return "/" + segments.joined(separator: "/")
    }

    /// The scheme that a browser reads, or nil if there is none.
    static func scheme(of text: String) -> String? { stripped(text).flatMap(scheme) }

    private static func scheme(of bytes: [UInt8]) -> String? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: ":")), end > 0 else { return nil }
        var scheme: [UInt8] = []
        for (index, byte) in bytes[..<end].enumerated() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): scheme.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): scheme.append(byte | 0x20)
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                guard index > 0 else { return nil }
                scheme.append(byte)
            default: return nil
            }
        }
        return String(decoding: scheme, as: UTF8.self)
    }

    /// The bytes without white space around them and without tabs and line feeds, or nil if other control characters
    /// are in them.
    private static func stripped(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= maximumLength else { return nil }
        var bytes = text.utf8.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        bytes.removeFirst(bytes.prefix { $0 <= 0x20 }.count)
        var cleaned: [UInt8] = []
        CleanText.append(bytes, to: &cleaned)
        return cleaned == bytes ? bytes : nil
    }

    private static func isSlash(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") }

    /// A host with its port, or nil if it is invalid.
    private static func authority(_ bytes: ArraySlice<UInt8>, scheme: String) -> String? {
        var host = bytes.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
        let isIPv6 = host.first == UInt8(ascii: "[")
        let hostEnd = isIPv6 ? host.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 } : host.firstIndex(of: 0x3A)
        if isIPv6, hostEnd == nil { return nil }
        if let hostEnd, hostEnd < host.count {
            let port = host[(hostEnd + 1)...]
            guard host[hostEnd] == UInt8(ascii: ":"), port.count <= 5 else { return nil }
            guard port.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
            let isDefault =
                port.isEmpty || scheme == "http" && port.elementsEqual("80".utf8)
                || scheme == "https" && port.elementsEqual("443".utf8)
            if isDefault { host.removeSubrange(hostEnd...) }
        }
        for byte in host.prefix(hostEnd ?? host.count) {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"):
                guard isIPv6 else { return nil }
            case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "%"), UInt8(ascii: "<"), UInt8(ascii: ">"),
                UInt8(ascii: "@"), UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"),
                UInt8(ascii: "|"), UInt8(ascii: "}"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"):
                return nil
            default: break
            }
        }
        if host.first == UInt8(ascii: ":") { return nil }
        return String(decoding: host, as: UTF8.self)
    }

    /// Percent-encodes bytes that aren't ASCII, and characters that could end an attribute's or a style's value.
    private static func encoded(_ bytes: ArraySlice<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var output: [UInt8] = []
        for byte in bytes {
            switch byte {
            case 0...0x20, 0x7F..., UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "`"),
                UInt8(ascii: "\\"):
                output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: output.append(byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}

extension Address {
    /// A picture's bytes in a `data:` URL: base64 of a type that holds no markup, or nil.
    static func pictureData(_ text: String) -> String? {
        let types = ["png", "jpeg", "jpg", "gif", "webp", "avif", "bmp"]
        guard let comma = text.utf8.prefix(40).firstIndex(of: UInt8(ascii: ",")) else { return nil }
        let head = text[..<comma].lowercased()
        guard let type = types.first(where: { head == "data:image/\($0);base64" }) else { return nil }
        let data = text.utf8[text.utf8.index(after: comma)...]
        let isBase64 = data.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
                true
            default: false
            }
        }
        return isBase64 && !data.isEmpty ? "data:image/\(type);base64," + (Substring(data)) : nil
    }
}
