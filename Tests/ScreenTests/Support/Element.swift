import Foundation
@testable import SwiftUI

/// What a screen reader says of a part of a screen, and what it can do there.
@MainActor
struct Element {
    var label = ""
    var value: String?
    var traits: AccessibilityTraits = []
    var isEnabled = true
    /// Whether the label is a person's words, not the name of a picture.
    var isNamed = true
    var activate: (() -> Void)?
    var actions: [Element] = []
}

/// What the modifiers around an element say of it.
private struct Surroundings {
    var label: String?
    var value: String?
    var traits: AccessibilityTraits = []
    var activate: (() -> Void)?
    var tap: (() -> Void)?
    var actions: [Element] = []
}

extension Node {
    /// The elements of this node and of those on screen below it, in order.
    var elements: [Element] {
        var elements: [Element] = []
        collect(Surroundings(), into: &elements)
        return elements
    }

    private func collect(_ around: Surroundings, into elements: inout [Element]) {
        var inner = around
        switch kind {
        case .modifier(.hidden(true)): return
        case .modifier(.label(let label)): inner.label = around.label ?? label
        case .modifier(.value(let value)): inner.value = around.value ?? value
        case .modifier(.traits(let traits)): inner.traits.formUnion(traits)
        case .modifier(.tap(let action)): inner.tap = around.tap ?? action
        case .modifier(.accessibilityAction(let action)): inner.activate = around.activate ?? action
        case .modifier(.parts):
            inner.actions += children.filter { $0.role == .actions }.flatMap(\.elements)
        case .modifier(.element(let children)) where children == .ignore:
            elements.append(element(around, label: "", isNamed: around.label != nil))
            return
        // The label is the container's, and the views in it keep theirs.
        case .modifier(.element(let children)) where children == .contain: inner = Surroundings()
        case .modifier(.element(let children)) where children == .combine:
            let within = shown.flatMap(\.elements).map(\.label)
            elements.append(element(around, label: within.joined(separator: ", ")))
            return
        case .text(let text): elements.append(element(around, label: text))
        case .image(let name, _): elements.append(element(around, label: name, isNamed: around.label != nil))
        case .progress: elements.append(element(around, label: "", isNamed: around.label != nil))
        case .shape, .color, .gradient, .platform:
            if around.label != nil { elements.append(element(around, label: "")) }
        case .share:
            let within = shown.flatMap(\.elements)
            var element = element(around, label: within.map(\.label).joined(separator: ", "))
            element.isNamed = !within.isEmpty && within.allSatisfy(\.isNamed)
            element.traits.formUnion(.isButton)
            elements.append(element)
            return
        case .button(_, let action):
            let within = shown.flatMap(\.elements)
            var element = element(
                around,
                label: within.map(\.label).joined(separator: ", "),
                isNamed: around.label != nil || !within.isEmpty && within.allSatisfy(\.isNamed)
            )
            element.traits.formUnion(.isButton)
            element.activate = around.activate ?? action
            elements.append(element)
            return
        case .menu:
            let within = children.filter { $0.role == .label }.flatMap(\.elements)
            var element = element(around, label: within.map(\.label).joined(separator: ", "))
            element.traits.formUnion(.isButton)
            elements.append(element)
            return
        case .field(let title, let text, _):
            var element = element(around, label: title, isNamed: around.label != nil || !title.isEmpty)
            element.value = text.wrappedValue
            elements.append(element)
        case .datePicker(let title, _): elements.append(element(around, label: title))
        case .picker(_, let get, let set):
            for option in options {
                var element = element(Surroundings(), label: option.node.elements.map(\.label).joined())
                element.traits.formUnion(.isButton)
                if option.tag == get() { element.traits.formUnion(.isSelected) }
                element.activate = { set(option.tag) }
                elements.append(element)
            }
            return
        default: break
        }
        for child in shown { child.collect(child.role == .content ? inner : Surroundings(), into: &elements) }
    }

    private func element(_ around: Surroundings, label: String, isNamed: Bool = true) -> Element {
        Element(
            label: around.label ?? label,
            value: around.value,
            traits: around.traits,
            isEnabled: environment.isEnabled,
            isNamed: isNamed,
            activate: around.activate ?? around.tap,
            actions: around.actions
        )
    }

    /// The options of a picker.
    private var options: [(node: Node, tag: AnyHashable)] {
        children.flatMap { child in
            if case .modifier(.tag(let tag)) = child.kind { [(child, tag)] } else { child.options }
        }
    }
}
