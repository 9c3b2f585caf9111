extension TreeBuilder {
    /// Adds a node to the arena. The limit stops the parser after this token.
    mutating func newNode(_ node: Node) -> Int32 {
        nodes.append(node)
        if nodes.count >= limits.nodes { isStopped = true }
        return Int32(truncatingIfNeeded: nodes.count - 1)
    }

    /// Moves a node that has no parent to a place.
    mutating func insert(_ node: Int32, at place: Place) {
        let parent = Int(place.parent)
        let child = Int(node)
        nodes[child].parent = place.parent
        let previous: Int32
        if place.before >= 0 {
            previous = nodes[Int(place.before)].previous
            nodes[Int(place.before)].previous = node
        } else {
            previous = nodes[parent].last
            nodes[parent].last = node
        }
        nodes[child].previous = previous
        nodes[child].next = place.before
        if previous >= 0 {
            nodes[Int(previous)].next = node
        } else {
            nodes[parent].first = node
        }
    }

    /// Removes a node from its parent, if it has one.
    mutating func detach(_ node: Int32) {
        let (parent, previous, next) = (nodes[Int(node)].parent, nodes[Int(node)].previous, nodes[Int(node)].next)
        guard parent >= 0 else { return }
        if previous >= 0 { nodes[Int(previous)].next = next } else { nodes[Int(parent)].first = next }
        if next >= 0 { nodes[Int(next)].previous = previous } else { nodes[Int(parent)].last = previous }
        nodes[Int(node)].parent = -1
        nodes[Int(node)].previous = -1
        nodes[Int(node)].next = -1
    }

    /// Moves all children of a node to the end of another, which has none.
    mutating func moveChildren(of source: Int32, to target: Int32) {
        var child = nodes[Int(source)].first
        nodes[Int(target)].first = child
        nodes[Int(target)].last = nodes[Int(source)].last
        nodes[Int(source)].first = -1
        nodes[Int(source)].last = -1
        while child >= 0 {
            nodes[Int(child)].parent = target
            child = nodes[Int(child)].next
        }
    }

    /// Inserts the token's characters (section 13.2.6.1, "insert a character").
    mutating func insertText(_ range: Range<Int>) {
        let place = appropriatePlace()
        // A document has no text.
        guard nodes[Int(place.parent)].kind != .document else { return }
        let previous = place.before >= 0 ? nodes[Int(place.before)].previous : nodes[Int(place.parent)].last
        if previous >= 0, nodes[Int(previous)].kind == .text {
            appendText(range, to: Int(previous))
        } else {
            var node = Node(kind: .text)
            node.range = range
            insert(newNode(node), at: place)
        }
    }

    /// Appends bytes to a text. It is extended in place if possible, otherwise moved to a place with twice the room, so
    /// that texts that grow alternately take linear time.
    private mutating func appendText(_ range: Range<Int>, to node: Int) {
        let old = nodes[node].range
        let count = old.count + range.count
        let extended = old.lowerBound..<(old.lowerBound + count)
        if old.upperBound == range.lowerBound {
            nodes[node].range = extended
            return
        }
        let offset = tokenizer.inputCount
        if old.lowerBound >= offset {
            let end = old.upperBound - offset
            if end == tokenizer.added.count {
                tokenizer.appendBytes(range)
                nodes[node].range = extended
                return
            }
            if Int(nodes[node].other) >= count {
                tokenizer.writeBytes(range, at: end)
                nodes[node].range = extended
                return
            }
        }
        let start = tokenizer.added.count
        tokenizer.appendBytes(old)
        tokenizer.appendBytes(range)
        nodes[node].range = tokenizer.addedRange(from: start)
        if old.lowerBound >= offset {
            tokenizer.added.append(contentsOf: repeatElement(0, count: count))
            nodes[node].other = Int32(truncatingIfNeeded: count * 2)
        }
    }

    /// Inserts the token's comment, at the appropriate place if none is given.
    mutating func insertComment(at place: Place? = nil) {
        var node = Node(kind: .comment)
        node.range = tokenizer.text
        let place = place ?? appropriatePlace()
        insert(newNode(node), at: place)
    }

    /// The appropriate place for inserting a node (section 13.2.6.1).
    func appropriatePlace(in target: OpenElement? = nil) -> Place {
        guard let target = target ?? open.last else { return Place(parent: 0) }
        if isFosterParenting, target.tag.fosters { return fosterPlace() }
        return Place(parent: target.tag == .template ? nodes[Int(target.node)].other : target.node)
    }

    private func fosterPlace() -> Place {
        for index in open.indices.reversed() {
            let element = open[index]
            if element.tag == .template { return Place(parent: nodes[Int(element.node)].other) }
            guard element.tag == .table else { continue }
            let parent = nodes[Int(element.node)].parent
            if parent >= 0 { return Place(parent: parent, before: element.node) }
            return appropriatePlaceWithoutFostering(index - 1)
        }
        return appropriatePlaceWithoutFostering(0)
    }

    private func appropriatePlaceWithoutFostering(_ index: Int) -> Place {
        let element = open[max(0, index)]
        return Place(parent: element.tag == .template ? nodes[Int(element.node)].other : element.node)
    }

    /// Creates an element for the token.
    mutating func newElement() -> Int32 {
        var node = Node(kind: .element)
        node.name = tokenizer.tag.name
        node.tag = tokenTag
        if !tokenizer.attributes.isEmpty {
            let start = attributes.count
            attributes.append(contentsOf: tokenizer.attributes)
            node.range = start..<attributes.count
        }
        let index = newNode(node)
        if tokenTag == .template { addContents(to: index) }
        return index
    }

    /// Creates an element of HTML without attributes.
    mutating func newElement(_ tag: Tag) -> Int32 {
        var node = Node(kind: .element)
        node.name = UInt32(tag.rawValue)
        node.tag = tag
        return newNode(node)
    }

    /// Creates an element with another one's name and attributes.
    mutating func newElement(like other: Int32) -> Int32 {
        var node = Node(kind: .element)
        node.name = nodes[Int(other)].name
        node.tag = nodes[Int(other)].tag
        node.namespace = nodes[Int(other)].namespace
        node.range = nodes[Int(other)].range
        return newNode(node)
    }

    mutating func addContents(to template: Int32) {
        var contents = Node(kind: .documentFragment)
        contents.other = template
        nodes[Int(template)].other = newNode(contents)
    }

    /// Inserts an element of HTML for the token and opens it.
    @discardableResult
    mutating func insertElement() -> Int32 {
        let place = appropriatePlace()
        let node = newElement()
        insert(node, at: place)
        push(node, tokenTag)
        return node
    }

    /// Inserts an element of HTML without attributes and opens it.
    @discardableResult
    mutating func insertElement(_ tag: Tag) -> Int32 {
        let place = appropriatePlace()
        let node = newElement(tag)
        insert(node, at: place)
        push(node, tag)
        return node
    }

    /// Inserts an element that is closed at once.
    mutating func insertEmptyElement() {
        insertElement()
        pop()
    }

    /// Adds the token's attributes to an element that lacks them.
    mutating func mergeAttributes(into node: Int32) {
        let old = nodes[Int(node)].range
        let new = tokenizer.attributes.filter { attribute in !attributes[old].contains { $0.name == attribute.name } }
        guard !new.isEmpty else { return }
        let room = limits.attributes - old.count
        if new.count > room { reachedLimits.insert(.attributes) }
        guard room > 0 else { return }
        let start = attributes.count
        attributes.append(contentsOf: Array(attributes[old]))
        attributes.append(contentsOf: new.prefix(room))
        nodes[Int(node)].range = start..<attributes.count
    }

    /// The value of the token's attribute, in lowercase, or nil if it has none.
    func tokenAttribute(_ name: HTMLName) -> [UInt8]? {
        for attribute in tokenizer.attributes where attribute.name == name.id { return lowercased(attribute.value) }
        return nil
    }

    /// The bytes of a range, with the letters of ASCII in lowercase.
    func lowercased(_ range: Range<Int>) -> [UInt8] {
        tokenizer.withBytes(range) { $0.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 } }
    }
}
