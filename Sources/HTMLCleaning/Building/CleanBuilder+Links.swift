import HTMLParsing

extension CleanBuilder {
    /// A link of an element before its place in the output is known.
    struct FoundLink {
        var url: String
        var source: HTMLLink.Source
        var actionType: String?
    }

    enum LinkSearch {
        case none
        case found(FoundLink)
        /// The element is removed with its content.
        case removed
    }

    /// Finds an element's link (Bloomreach: `data-link` overrides `href`).
    mutating func foundLink(_ element: CleanElement, _ attributes: [HTMLAttribute]) -> LinkSearch {
        func value(_ name: HTMLName) -> String? {
            let value = attributes.first { $0.name == name && $0.namespace == .none }?.value
            return value.flatMap { $0.utf8.allSatisfy(CleanText.isSpace) ? nil : $0 }
        }
        var actionType: String?
        var text = element == .a ? value(.href) : nil
        var source = HTMLLink.Source.href
        if options.readsActions {
            actionType = value(.dataActiontype).map { CleanText.collapsed(CleanText.value($0).utf8) }
            if actionType == "close" {
                closeButtonCount += 1
                switch options.closeButtons {
                case .removed: return .removed
                case .linked(let url, _):
                    return Self.isForbidden(url)
                        ? .removed : .found(FoundLink(url: url, source: .closeButton, actionType: actionType))
                }
            }
            if let link = value(.dataLink) { (text, source) = (link, .dataLink) }
        }
        guard let text else { return .none }
        guard let address = Address(text), options.linkSchemes?.contains(address.scheme) ?? true,
            !Address.forbiddenSchemes.contains(address.scheme)
        else {
            rejectedAddressCount += 1
            return .none
        }
        return .found(FoundLink(url: address.text, source: source, actionType: actionType))
    }

    /// Adds a link. Its text is the content until the frame ends.
    mutating func addLink(_ link: FoundLink, node: Int32, _ frame: inout Frame) {
        frame.link = links.count
        frame.textStart = tree.bytes.count
        links.append(
            HTMLLink(
                index: links.count,
                url: link.url,
                source: link.source,
                actionType: link.actionType,
                text: "",
                isWritten: node >= 0
            )
        )
        linkNodes.append(node)
    }

    /// The attributes of an anchor. Its address is written once it was decided about.
    func anchorAttributes(_ link: FoundLink, _ own: [CleanAttribute]) -> [CleanAttribute] {
        var attributes = [CleanAttribute(name: .href, value: link.url)]
        let style = own.last?.name == .style ? own.last : nil
        attributes += style == nil ? own : own.dropLast()
        if let type = link.actionType, !type.isEmpty {
            attributes.append(CleanAttribute(name: .actionType, value: type))
        }
        if let style { attributes.append(style) }
        if options.opensLinksOutside {
            attributes.append(CleanAttribute(name: .target, value: "_blank"))
            attributes.append(CleanAttribute(name: .rel, value: "noopener noreferrer"))
        }
        return attributes
    }

    /// Adds a close button before everything else, if the output needs one.
    private mutating func addDefaultCloseButton() {
        guard options.readsActions, case .linked(let url, addsDefault: true) = options.closeButtons else { return }
        let hasOne = links.contains { $0.source == .closeButton && $0.isWritten }
        guard !hasOne, !Self.isForbidden(url) else { return }
        let found = FoundLink(url: url, source: .closeButton, actionType: "close")
        let label = CleanAttribute(name: .ariaLabel, value: "Close")
        let block = tree.prepend(.div, [CleanAttribute(name: .style, value: "text-align: right")])
        let node = tree.append(.a, anchorAttributes(found, [label]), to: block)
        tree.append(text: Array("×".utf8), to: node)
        var frame = Frame(base: 1)
        addLink(found, node: node, &frame)
        links[frame.link].text = "×"
        links.insert(links.removeLast(), at: 0)
        linkNodes.insert(linkNodes.removeLast(), at: 0)
        for index in links.indices { links[index].index = index }
    }

    /// Builds the result.
    mutating func finish(_ decide: (HTMLLink) -> HTMLLink.Decision) -> CleanHTML {
        addDefaultCloseButton()
        for index in links.indices where linkNodes[index] >= 0 {
            let node = Int(linkNodes[index])
            switch decide(links[index]) {
            case .keep: continue
            case .replace(let text) where !Self.isForbidden(text):
                tree.nodes[node].attributes[0].value = text
            case .replace, .remove:
                links[index].isWritten = false
                tree.nodes[node].element = .span
                tree.nodes[node].attributes.removeAll {
                    [.href, .target, .rel, .actionType].contains($0.name)
                }
            }
        }
        return CleanHTML(
            markup: tree.markup(),
            links: links,
            pictures: pictures,
            trackingPixelCount: trackingPixelCount,
            rejectedAddressCount: rejectedAddressCount,
            importedStyleSheetCount: importedStyleSheetCount,
            closeButtonCount: closeButtonCount,
            setsColors: setsColors,
            backgroundColor: backgroundColor,
            supportsDark: supportsDark,
            reachedLimits: reachedLimits,
            orderedPictureOrigins: pictureOrigins.all,
            tree: tree
        )
    }

    /// Whether an address of the app can't be written: it is empty, it has control characters or it runs code.
    private static func isForbidden(_ text: String) -> Bool {
        let scheme = Address.scheme(of: text)
        return text.isEmpty || CleanText.value(text) != text || text.utf8.count > Address.maximumLength
            || scheme.map(Address.forbiddenSchemes.contains) ?? false
    }
}
