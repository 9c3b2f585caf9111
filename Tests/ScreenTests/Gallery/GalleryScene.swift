import Foundation
import Screens

@testable import SwiftUI

/// What of a vendor's inbox a page shows. The order is that of the table's rows.
enum GalleryState: String, CaseIterable, Sendable {
    case list, detail, button, empty, loading, error, html
}

/// How a screen is shown.
struct GalleryLook: Hashable, Sendable {
    var isDark = false
    /// Whether it is as wide as a tablet.
    var isWide = false

    /// Sets the environment of a screen with this look.
    @MainActor
    func set(_ environment: inout EnvironmentValues) {
        environment.isCompact = !isWide
        environment.colorScheme = isDark ? .dark : .light
    }
}

/// A screen as it is drawn, or the words in place of one that the vendor doesn't have.
struct GalleryScene: Sendable {
    var box: Box
    /// What couldn't be drawn.
    var unknown: [String] = []
    var hasScreen = true

    /// The words in place of a screen.
    static func words(_ words: String) -> GalleryScene {
        GalleryScene(box: Box("p", class: "words", text: words), hasScreen: false)
    }
}

/// Screens of a vendor's look.
@MainActor
protocol GalleryVendor {
    var name: String { get }
    /// The states that have another layout where there is space.
    var wideStates: Set<GalleryState> { get }
    /// Whether the screens are over the app's only client, so that one is shown at a time.
    var isShared: Bool { get }

    func scene(_ state: GalleryState, _ look: GalleryLook) async throws -> GalleryScene
}

extension GalleryVendor {
    var wideStates: Set<GalleryState> { [] }
    var isShared: Bool { false }
}

extension Person {
    /// A person at a view with a look.
    convenience init(_ view: some View, _ look: GalleryLook) {
        self.init(view) { look.set(&$0) }
    }

    /// Waits for a text, and until nothing loads any more.
    func waitsForAll(_ text: String) async throws {
        try await waits(for: text)
        try await waits("no progress") { !sees("…") }
    }

    /// The screen as it is now.
    var scene: GalleryScene {
        let drawing = NodeDrawing()
        var box = drawing.screen(of: display)
        if display.root.environment.layoutDirection == .rightToLeft { box["dir"] = "rtl" }
        return GalleryScene(box: box, unknown: drawing.unknown)
    }
}
