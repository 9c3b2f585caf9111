import Foundation

/// Writes the pages of all screens to a folder.
@MainActor
enum Gallery {
    static let vendors: [any GalleryVendor] = [
        NativeGallery(), AdobeGallery(), BloomreachGallery(), ZetaGallery(), InboxKitGallery(),
    ]

    /// The screens of a vendor in all states and looks.
    static func entries(of vendor: any GalleryVendor) async throws -> [GalleryPage.Entry] {
        var entries: [GalleryPage.Entry] = []
        for isDark in [false, true] {
            for state in GalleryState.allCases {
                for isWide in vendor.wideStates.contains(state) ? [false, true] : [false] {
                    let look = GalleryLook(isDark: isDark, isWide: isWide)
                    let scene = try await vendor.scene(state, look)
                    entries.append(GalleryPage.Entry(vendor: vendor.name, state: state, look: look, scene: scene))
                }
            }
        }
        return entries
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
    }

    private static func write(_ page: String, _ name: String, to folder: URL) throws {
        try page.write(to: folder.appending(path: "\(name).html"), atomically: true, encoding: .utf8)
        print("\(name).html")
    }
}
