import Foundation

/// Writes the pages of all screens to a folder.
@MainActor
enum Gallery {
    static let vendors: [any GalleryVendor] = [
        NativeGallery(), MailGallery(), AdobeGallery(), BloomreachGallery(), ZetaGallery(), InboxKitGallery(),
    ]

    /// The screens of a vendor in all states and looks, light ones first.
    static func entries(of vendor: any GalleryVendor) async throws -> [GalleryPage.Entry] {
        let looks = [false, true].flatMap { isDark in
            GalleryState.allCases.flatMap { state in
                (vendor.wideStates.contains(state) ? [false, true] : [false]).map { isWide in
                    (state, GalleryLook(isDark: isDark, isWide: isWide))
                }
            }
        }
        guard !vendor.isShared else {
            var entries: [GalleryPage.Entry] = []
            for (state, look) in looks { entries.append(try await entry(of: vendor, state, look)) }
            return entries
        }
        // Each has a device of its own, which mostly waits for its disk: five at once.
        var entries: [GalleryPage.Entry] = []
        for some in stride(from: 0, to: looks.count, by: 5).map({ looks[$0..<min($0 + 5, looks.count)] }) {
            let tasks = some.map { state, look in Task { try await entry(of: vendor, state, look) } }
            for task in tasks { entries.append(try await task.value) }
        }
        return entries
    }

    private static func entry(
        of vendor: any GalleryVendor,
        _ state: GalleryState,
        _ look: GalleryLook
    ) async throws -> GalleryPage.Entry {
        let scene = try await vendor.scene(state, look)
        return GalleryPage.Entry(vendor: vendor.name, state: state, look: look, scene: scene)
    }

    static func write(to folder: URL) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var entries: [GalleryPage.Entry] = []
        for vendor in vendors { entries += try await self.entries(of: vendor) }
        for entry in entries where entry.scene.hasScreen {
            try write(GalleryPage.screen(entry), entry.file, to: folder)
        }
        try write(GalleryPage.index(entries, isDark: false), "index", to: folder)
        try write(GalleryPage.index(entries, isDark: true), "index-dark", to: folder)
        let writing = try await WritingGallery.entries()
        for entry in writing {
            try write(GalleryPage.writing([entry], isDark: entry.look.isDark), entry.file, to: folder)
        }
        try write(GalleryPage.writing(writing.filter { !$0.look.isDark }, isDark: false), "writing", to: folder)
        try write(GalleryPage.writing(writing.filter(\.look.isDark), isDark: true), "writing-dark", to: folder)
    }

    private static func write(_ page: String, _ name: String, to folder: URL) throws {
        try page.write(to: folder.appending(path: "\(name).html"), atomically: true, encoding: .utf8)
        print("\(name).html")
    }
}
