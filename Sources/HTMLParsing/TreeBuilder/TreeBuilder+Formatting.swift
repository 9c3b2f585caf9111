extension TreeBuilder {
    /// Adds an element to the list of active formatting elements (section 13.2.4.3). Of those with the same name and
    /// attributes, the list keeps three.
    mutating func pushFormatting(_ node: Int32, _ tag: Tag) {
        var entry = FormattingEntry(node: node, tag: tag)
        var same = 0
        var earliest = 0
        for index in formatting.indices.reversed() {
            if formatting[index].isMarker { break }
            guard formatting[index].tag == tag, hasSameAttributes(index, &entry) else { continue }
            same += 1
            earliest = index
        }
        if same >= 3 { formatting.remove(at: earliest) }
        formatting.append(entry)
    }

    /// Whether an entry's attributes are those of a new one, in any order.
    private mutating func hasSameAttributes(_ index: Int, _ entry: inout FormattingEntry) -> Bool {
        let old = nodes[Int(formatting[index].node)]
        let new = nodes[Int(entry.node)]
        // Unknown names can't be formatting elements, so the tags' equality is that of the names.
        guard old.range.count == new.range.count else { return false }
        guard old.range.count > 0 else { return true }
        let newHash = entry.hash ?? attributeHash(new.range)
        entry.hash = newHash
        let oldHash = formatting[index].hash ?? attributeHash(old.range)
        formatting[index].hash = oldHash
        guard newHash == oldHash else { return false }
        return attributes[old.range].allSatisfy { attribute in
            attributes[new.range].contains { $0.name == attribute.name && isSame($0.value, attribute.value) }
        }
    }

    private func attributeHash(_ range: Range<Int>) -> Int {
        attributes[range].reduce(0) { sum, attribute in
            var hasher = Hasher()
            hasher.combine(attribute.name)
            tokenizer.withBytes(attribute.value) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            return sum &+ hasher.finalize()
        }
    }

    private func isSame(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        left.count == right.count
            && tokenizer.withBytes(left) { left in tokenizer.withBytes(right) { left.elementsEqual($0) } }
    }

    mutating func insertMarker() {
        formatting.append(.marker)
    }

    /// Removes the entries up to and with the last marker.
    mutating func clearFormattingToMarker() {
        while let entry = formatting.popLast(), !entry.isMarker {}
    }

    /// The index of the last entry of this tag after the last marker, or nil.
    func formattingIndex(of tag: Tag) -> Int? {
        for index in formatting.indices.reversed() {
            if formatting[index].isMarker { return nil }
            if formatting[index].tag == tag { return index }
        }
        return nil
    }

    /// The index of an element's entry after the last marker, or nil.
    func formattingIndex(node: Int32) -> Int? {
        for index in formatting.indices.reversed() {
            if formatting[index].isMarker { return nil }
            if formatting[index].node == node { return index }
        }
        return nil
    }

    /// Reconstructs the active formatting elements (section 13.2.4.3). It stops at the limit of the depth.
    mutating func reconstructFormatting() {
        guard let last = formatting.last, !last.isMarker, !nodes[Int(last.node)].isOpen else { return }
        reopenFormatting()
    }

    private mutating func reopenFormatting() {
        var index = formatting.count - 1
        while index > 0 {
            let entry = formatting[index - 1]
            if entry.isMarker || nodes[Int(entry.node)].isOpen { break }
            index -= 1
        }
        while index < formatting.count {
            guard open.count < stackLimit else {
                reachedLimits.insert(.depth)
                return
            }
            guard !isStopped else { return }
            let entry = formatting[index]
            let place = appropriatePlace()
            let node = newElement(like: entry.node)
            insert(node, at: place)
            push(node, entry.tag)
            formatting[index].node = node
            index += 1
        }
    }
}
