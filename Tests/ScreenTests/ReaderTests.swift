import Foundation
import InboxCards
import InboxClient
import InboxModel
import InboxViews
import Screens
import Testing

@testable import SwiftUI

/// The native screens for readers with large texts, from right to left and with less motion.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct ReaderTests {
    private func device() async throws -> ScreenDevice {
        try await ScreenDevice(
            message("m1") {
                $0.media = Media(icon: "shippingbox")
                $0.actions = [MessageAction(id: "one", text: "One"), MessageAction(id: "two", text: "Two")]
            },
            message("m2", minutesAgo: 2),
            isSynced: true
        )
    }

    /// The axes of the stacks around a text, the innermost first.
    private func axes(_ person: Person, around text: String) -> [Axis] {
        var axes: [Axis] = []
        var node = person.display.nodes.first { if case .text(text) = $0.kind { true } else { false } }
        while let current = node {
            if case .stack(let stacking) = current.kind { axes.append(stacking.axis) }
            node = current.parent
        }
        return axes
    }

    @Test func `at the sizes for accessibility, rows become columns and the tabs a menu`() async throws {
        let device = try await device()
        let person = Person(at: device.inbox)
        try await person.waits(for: "Two")
        func isSegmented() -> Bool {
            person.display.nodes.contains { node in
                if case .modifier(.look(.pickerStyle(let style))) = node.kind {
                    style is SegmentedPickerStyle
                } else {
                    false
                }
            }
        }
        #expect(axes(person, around: "One").first == .horizontal && isSegmented())
        person.display.change { ($0.dynamicTypeSize, $0.textScale) = (.accessibility3, 2.2) }
        #expect(axes(person, around: "One").first == .vertical && !isSegmented())
        try person.taps("Unread (2)")
        try await person.waits("the tab") { person.sees("Title m2") }
        person.display.change { $0.dynamicTypeSize = .xxxLarge }
        #expect(axes(person, around: "One").first == .horizontal && isSegmented())
    }

    @Test func `errors and messages scroll, so that large texts are reached`() async throws {
        let device = try await ScreenDevice(message("m1"))
        device.disconnect()
        let person = Person(at: device.inbox)
        person.display.change { ($0.dynamicTypeSize, $0.textScale) = (.accessibility5, 3) }
        try await person.waits(for: "Try Again")
        var node = person.display.nodes.first { if case .text("Try Again") = $0.kind { true } else { false } }
        var scrolls = false
        while let current = node {
            if case .scroll(let axes) = current.kind { scrolls = scrolls || axes.contains(.vertical) }
            node = current.parent
        }
        #expect(scrolls)
    }

    @Test func `the list moves without animation where less motion is asked for`() async throws {
        let device = try await device()
        let person = Person(at: device.inbox)
        try await person.waits(for: "Title m1")
        func behaviors() -> [String] {
            person.display.nodes.compactMap { node in
                if case .modifier(.look(.behavior(let name))) = node.kind { name } else { nil }
            }
        }
        #expect(behaviors().contains("animation") && !behaviors().contains("no animation"))
        person.display.change { $0.accessibilityReduceMotion = true }
        #expect(!behaviors().contains("animation") && behaviors().contains("no animation"))
    }

    @Test func `from right to left, the whole screen keeps the reader's direction and language`() async throws {
        let device = try await device()
        let texts = CardTexts(.arabic)
        let person = Person(InboxScreen().inbox(device.inbox).inboxTexts(texts)) {
            ($0.isCompact, $0.layoutDirection) = (true, .rightToLeft)
        }
        try await person.waits(for: "Title m1")
        #expect(person.display.nodes.allSatisfy { $0.environment.layoutDirection == .rightToLeft })
        #expect(person.texts.contains { $0.hasPrefix(texts.name(of: InboxTab.archived)) })
        #expect(try person.swipeButtons("Title m1", .trailing).last == texts[.delete])
        try person.taps("Title m1")
        try await person.waits("the message") { !person.sees("Title m2") }
        try await person.waits("its actions") { person.elements.map(\.label).contains(texts[.delete]) }
        #expect(person.display.nodes.allSatisfy { $0.environment.layoutDirection == .rightToLeft })
    }
}
