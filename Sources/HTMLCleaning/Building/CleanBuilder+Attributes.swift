import HTMLParsing

extension CleanBuilder {
    /// An element's attributes as the output has them.
    struct FoundAttributes {
        var attributes: [CleanAttribute] = []
        var declarations: [CSSDeclaration] = []
        /// Whether the element can't be seen.
        var isHidden = false
    }

    /// Reads the attributes of an element. The style is the last one.
    ///
    /// - Parameters:
    ///   - attributes: The element's attributes in the message.
    ///   - element: The element in the output.
    ///   - declarations: Declarations that come before all others.
    ///   - styles: The declarations of style sheets.
    mutating func attributes(
        _ attributes: [HTMLAttribute],
        of element: CleanElement,
        adding declarations: [CSSDeclaration] = [],
        styles: ParsedStyles
    ) -> FoundAttributes {
        var found = FoundAttributes(declarations: declarations)
        var style: String?
        for attribute in attributes where attribute.namespace == .none {
            switch attribute.name {
            case .style: style = attribute.value
            case .background:
                if let url = background(attribute.value) {
                    let image = StyleAttribute("background-image:url('')") { _ in url }
                    found.declarations += image.declarations
                }
            default:
                guard let attribute = AttributeRule.attribute(attribute, of: element) else { continue }
                found.attributes.append(attribute)
                switch attribute.name {
                case .bgcolor, .color: setsColors = true
                case .hidden: found.isHidden = true
                default: break
                }
            }
        }
        found.declarations += styles.cascaded(with: style.map { StyleAttribute($0) { self.background($0) } })
        if element == .table { found.boundTable() }
        if let text = StyleAttribute.text(found.declarations) {
            found.attributes.append(CleanAttribute(name: .style, value: text))
        }
        for declaration in found.declarations {
            switch (declaration.name, declaration.value) {
            case ("display", "none"), ("visibility", "hidden"): found.isHidden = true
            case ("color", "inherit"): break
            case ("color", _), ("background", _), ("background-color", _), ("background-image", _): setsColors = true
            default: break
            }
        }
        return found
    }

    /// Decides about the picture of a background. Returns the URL to write.
    mutating func background(_ text: String) -> String? {
        if options.allowsDataPictures, let data = Address.pictureData(text) {
            pictureOrigins.insert("data:")
            return data
        }
        guard let picture = addPicture(text, use: .background, hidden: false) else { return nil }
        return written(decidePicture(picture), of: picture)
    }

    /// Adds a picture, or counts its address if it isn't allowed.
    mutating func addPicture(
        _ text: String,
        use: HTMLPicture.Use,
        alternative: String = "",
        width: Int? = nil,
        height: Int? = nil,
        hidden: Bool
    ) -> HTMLPicture? {
        guard let address = Address(text), ["http", "https", "cid"].contains(address.scheme) else {
            if !text.isEmpty { rejectedAddressCount += 1 }
            return nil
        }
        let picture = HTMLPicture(
            index: pictures.count,
            url: address.text,
            use: use,
            alternative: alternative,
            width: width,
            height: height,
            isHidden: hidden
        )
        pictures.append(picture)
        return picture
    }

    /// The address that is written for a picture, or nil for none. Its origin is noted.
    mutating func written(_ decision: HTMLPicture.Decision, of picture: HTMLPicture) -> String? {
        let url = address(decision, of: picture)
        if let url, let origin = Address.origin(of: url) { pictureOrigins.insert(origin) }
        return url
    }

    private func address(_ decision: HTMLPicture.Decision, of picture: HTMLPicture) -> String? {
        switch decision {
        case .keep: return picture.url
        case .replace(let text):
            let scheme = Address.scheme(of: String(text.prefix(64)))
            if scheme == "data" { return Address.pictureData(text) }
            guard scheme.map({ !Address.forbiddenSchemes.contains($0) }) ?? true else { return nil }
            guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 }), CleanText.value(text) == text else { return nil }
            return text
        case .placeholder, .remove: return nil
        }
    }

    /// Reads the attributes of an image, or returns nil if it is removed.
    mutating func image(_ attributes: [HTMLAttribute], _ styles: ParsedStyles) -> [CleanAttribute]? {
        var found = self.attributes(attributes, of: .img, styles: styles)
        let text = attributes.first { $0.name == .src && $0.namespace == .none }?.value
        guard let text else { return found.attributes }
        if options.allowsDataPictures, let data = Address.pictureData(text) {
            pictureOrigins.insert("data:")
            return [CleanAttribute(name: .src, value: data)] + found.attributes
        }
        let picture = addPicture(
            text,
            use: .image,
            alternative: found.attributes.first { $0.name == .alt }?.value ?? "",
            width: found.pixels("width", .width),
            height: found.pixels("height", .height),
            hidden: found.isHidden || open.last?.isHidden ?? false
        )
        guard let picture else { return found.attributes }
        if picture.isTrackingPixel, options.removesTrackingPixels {
            trackingPixelCount += 1
            return nil
        }
        let decision = decidePicture(picture)
        if decision == .remove { return nil }
        if let url = written(decision, of: picture) {
            found.attributes.insert(CleanAttribute(name: .src, value: url), at: 0)
        }
        return found.attributes
    }
}

extension CleanBuilder.FoundAttributes {
    /// Writes the greatest width of a table into its width: WebKit lets a table with a width in pixels be wider than
    /// its `max-width` (CSS 2.2, section 10.4: the effect on tables is undefined).
    fileprivate mutating func boundTable() {
        func last(_ name: String) -> Int? { declarations.lastIndex { $0.name == name } }
        func isLength(_ value: String) -> Bool {
            value != "0" && value.utf8.first.map { 0x30...0x39 ~= $0 } ?? false
        }
        guard let most = last("max-width").map({ declarations[$0].value }), isLength(most) else { return }
        let place = last("width")
        var width = place.map { declarations[$0].value }
        if width == nil, let text = attributes.first(where: { $0.name == .width })?.value {
            // Without zeros before the number, as the style is read back.
            let number = Int(text.prefix { $0.isNumber }).flatMap { $0 > 0 ? $0 : nil }
            width = number.map { "\($0)\(text.hasSuffix("%") ? "%" : "px")" }
        }
        guard let width, isLength(width), width != most else { return }
        let bounded = CSSDeclaration(name: "width", value: "min(\(width), \(most))")
        if let place { declarations[place] = bounded } else { declarations.append(bounded) }
    }

    /// The pixels of a dimension: those of the style, else those of the attribute.
    fileprivate func pixels(_ property: String, _ name: CleanAttribute.Name) -> Int? {
        for declaration in declarations.reversed() where declaration.name == property {
            guard declaration.value == "0" || declaration.value.hasSuffix("px") else { continue }
            return Int(declaration.value.prefix { "0"..."9" ~= $0 })
        }
        return attributes.first { $0.name == name }.flatMap { Int($0.value) }
    }
}
