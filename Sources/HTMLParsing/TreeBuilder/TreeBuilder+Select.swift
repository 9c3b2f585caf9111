/// The content of an open select element's first `selectedcontent` (HTML, section 4.10.17.7, "clone an option into a
/// selectedcontent").
struct SelectState {
    let node: Int32
    /// The option that is selected so far.
    var option: Int32 = -1
    /// Whether that option has the attribute `selected`.
    var isExplicit = false
    /// The first `selectedcontent` element.
    var content: Int32 = -1
}

extension TreeBuilder {
    mutating func beginInput() {
        if context >= 0, nodes[Int(context)].tag == .select { return }
        if hasInScope(.select) { popUntil(.select) }
        reconstructFormatting()
        insertEmptyElement()
        if tokenAttribute(.type) != Array("hidden".utf8) { isFramesetAllowed = false }
    }

    mutating func beginSelect() {
        if context >= 0, nodes[Int(context)].tag == .select { return }
        if hasInScope(.select) {
            popUntil(.select)
            return
        }
        reconstructFormatting()
        insertElement()
        isFramesetAllowed = false
    }

    mutating func beginOption() {
        if hasInScope(.select) {
            generateImpliedEndTags(except: tokenTag == .option ? .optgroup : nil)
        } else if currentTag == .option {
            pop()
        }
        reconstructFormatting()
        insertElement()
    }

    /// Selects an option of the innermost select element as it opens.
    mutating func optionBegan(_ node: Int32) {
        let index = selects.count - 1
        guard select(of: node) == selects[index].node else { return }
        let isExplicit = hasAttribute(.selected, node)
        let isDefault = selects[index].option < 0 && !hasAttribute(.disabled, node)
        guard isExplicit || isDefault else { return }
        selects[index].option = node
        selects[index].isExplicit = isExplicit
    }

    /// Copies the selected option's content as it closes.
    mutating func optionEnded(_ node: Int32) {
        guard let select = selects.last, select.option == node, select.content >= 0 else { return }
        copyContent(of: node, to: select.content)
    }

    /// Finds the first `selectedcontent` of the innermost select element.
    mutating func selectedContentBegan(_ node: Int32) {
        let index = selects.count - 1
        guard selects[index].content < 0, !hasAttribute(.multiple, selects[index].node),
            select(of: node) == selects[index].node
        else { return }
        selects[index].content = node
        if selects[index].option >= 0, !nodes[Int(selects[index].option)].isOpen {
            copyContent(of: selects[index].option, to: node)
        }
    }

    /// The select element that an option or a `selectedcontent` belongs to, or -1.
    private func select(of node: Int32) -> Int32 {
        var ancestor = nodes[Int(node)].parent
        var steps = 0
        while ancestor >= 0, steps <= limits.depth {
            switch nodes[Int(ancestor)].tag {
            case .select: return ancestor
            case .option, .selectedcontent, .datalist, .hr: return -1
            default: ancestor = nodes[Int(ancestor)].parent
            }
            steps += 1
        }
        return -1
    }

    private func hasAttribute(_ name: HTMLName, _ node: Int32) -> Bool {
        attributes[nodes[Int(node)].range].contains { $0.name == name.id }
    }

    /// Replaces the children of a node by copies of another's descendants.
    private mutating func copyContent(of source: Int32, to target: Int32) {
        while nodes[Int(target)].first >= 0 { detach(nodes[Int(target)].first) }
        deepened += limits.depth
        // Each pair is a node whose children are still to be copied, and its copy.
        var pairs = [(source, target)]
        while let (original, copy) = pairs.popLast() {
            var child = nodes[Int(original)].first
            while child >= 0 {
                guard !isStopped else { return }
                var node = Node(kind: nodes[Int(child)].kind)
                node.tag = nodes[Int(child)].tag
                node.namespace = nodes[Int(child)].namespace
                node.name = nodes[Int(child)].name
                node.range = nodes[Int(child)].range
                let new = newNode(node)
                insert(new, at: Place(parent: copy))
                pairs.append((child, new))
                if node.tag == .template {
                    addContents(to: new)
                    pairs.append((nodes[Int(child)].other, nodes[Int(new)].other))
                }
                child = nodes[Int(child)].next
            }
        }
    }
}
