extension CleanTree {
    /// The markup of the tree.
    ///
    /// It needs no rule for raw text, for no element of the tree has any, and none for a line feed after `<pre>`, for
    /// the tree has none there.
    func markup() -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + nodes.count * 16)
        walk { index in
            let node = nodes[Int(index)]
            guard let element = node.element else {
                Self.escape(bytes[node.text], inAttribute: false, &output)
                return
            }
            output.append(UInt8(ascii: "<"))
            output.append(contentsOf: element.rawValue.utf8)
            for attribute in node.attributes {
                output.append(UInt8(ascii: " "))
                output.append(contentsOf: attribute.name.rawValue.utf8)
                output.append(contentsOf: "=\"".utf8)
                Self.escape(Array(attribute.value.utf8)[...], inAttribute: true, &output)
                output.append(UInt8(ascii: "\""))
            }
            output.append(UInt8(ascii: ">"))
        } end: { index in
            guard let element = nodes[Int(index)].element, !element.isVoid else { return }
            output.append(contentsOf: "</".utf8)
            output.append(contentsOf: element.rawValue.utf8)
            output.append(UInt8(ascii: ">"))
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Escapes a text or a value (HTML, section 13.3, "escaping a string").
    private static func escape(_ bytes: ArraySlice<UInt8>, inAttribute: Bool, _ output: inout [UInt8]) {
        var previous: UInt8 = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\"") where inAttribute: output.append(contentsOf: "&quot;".utf8)
            case 0xA0 where previous == 0xC2:
                output.removeLast()
                output.append(contentsOf: "&nbsp;".utf8)
            default: output.append(byte)
            }
            previous = byte
        }
    }
}
