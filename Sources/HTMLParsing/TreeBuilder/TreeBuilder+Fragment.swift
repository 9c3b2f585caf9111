extension TreeBuilder {
    /// Begins a fragment in a context (HTML, section 13.4).
    mutating func beginFragment(_ fragment: HTMLFragmentContext) {
        quirks = fragment.quirksMode
        var element = Node(kind: .element)
        let name = Array(fragment.name.utf8)
        let known = KnownNames.id(of: name.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 })
        var tag = Tag.other
        if let known, known < UInt32(Tag.other.rawValue) { tag = Tag(rawValue: UInt8(known)) ?? .other }
        element.namespace = fragment.namespace
        element.tag = fragment.namespace == .html ? tag : Self.foreignTag(tag, fragment.namespace)
        element.name = known ?? .max
        if fragment.namespace == .html { tokenizer.state = Self.state(in: tag) }

        insertElement(.html)
        context = newNode(element)
        if element.tag == .template { templateModes.append(.inTemplate) }
        if element.tag == .form { form = context }
        resetMode()
    }

    /// The state in which the content of an element is read.
    private static func state(in tag: Tag) -> Tokenizer.State {
        switch tag {
        case .title, .textarea: .rcdata
        case .style, .xmp, .iframe, .noembed, .noframes: .rawText
        case .script: .scriptData
        case .plaintext: .plaintext
        default: .data
        }
    }
}
