import Foundation
import InboxCards
import InboxHTML

/// Writes pages with every template and state, light and dark, left to right and right to left.
///
/// `make gallery` runs it, and takes screenshots of the pages.
@main
struct Gallery {
    static func main() throws {
        guard CommandLine.arguments.count == 2 else {
            FileHandle.standardError.write(Data("usage: inbox-gallery FOLDER\n".utf8))
            exit(2)
        }
        let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // A fixed time, so that the screenshots don't change.
        let now = Date(timeIntervalSince1970: 1_777_593_600)
        try (BaseStyle.css + "\n" + PageStyle.css)
            .write(to: folder.appendingPathComponent("style.css"), atomically: true, encoding: .utf8)
        for language in [CardLanguage.english, .arabic] {
            for isDark in [false, true] {
                for screen in GalleryScreens(texts: CardTexts(language), now: now).all {
                    let name = "\(screen.name)-\(isDark ? "dark" : "light")-\(language.rawValue).html"
                    try Data(screen.html).write(to: folder.appendingPathComponent(name))
                    print(name)
                }
                let page = GalleryPage(texts: CardTexts(language), isDark: isDark)
                let file = folder.appendingPathComponent(page.name("cards") + ".html")
                try page.cards(now: now).write(to: file, atomically: true, encoding: .utf8)
                print(file.lastPathComponent)
            }
        }
    }
}
