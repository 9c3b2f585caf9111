import BloomreachCompatibility
import Coverage
import Foundation
import InboxCards
import Testing

/// The eight texts of Bloomreach's document.
@Suite(.timeLimit(.minutes(5))) struct TextTests {
    /// The texts as the document prints them.
    private static let document = """
        "exponea.inbox.button" = "Inbox";
        "exponea.inbox.title" = "AppInbox";
        "exponea.inbox.emptyTitle" = "Empty Inbox";
        "exponea.inbox.emptyMessage" = "You have no messages yet.";
        "exponea.inbox.errorTitle" = "Something went wrong :(";
        "exponea.inbox.errorMessage" = "We could not retrieve your messages.";
        "exponea.inbox.defaultTitle" = "Message";
        "exponea.inbox.mainActionTitle" = "See more";
        """

    @Test(.shows(.b19)) func `the eight texts are English, and the app's localized ones come first`() {
        let english = AppInboxTexts(languages: ["de"]) { _ in nil }
        let lines = AppInboxText.allCases.map { "\"\($0.rawValue)\" = \"\(english[$0])\";" }
        #expect(lines.joined(separator: "\n") == Self.document)
        var texts = AppInboxTexts(languages: ["de"]) { key in
            ["exponea.inbox.title": "Postfach", "exponea.inbox.button": "Post", "exponea.inbox.emptyMessage": ""][key]
        }
        #expect(texts[.title] == "Postfach" && texts[.button] == "Post" && texts[.emptyTitle] == "Empty Inbox")
        #expect(texts[.emptyMessage].isEmpty, "an empty text is the app's choice")
        // What is set in code comes before the tables.
        texts[.title] = "Briefe"
        texts[.errorTitle] = ""
        #expect(texts[.title] == "Briefe" && texts[.errorTitle].isEmpty && texts[.button] == "Post")
        #expect(texts.cardTexts.language == .german)
    }

    @Test(.shows(.b19)) func `a bundle's Localizable.strings replaces texts`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "texts-\(UUID()).bundle")
        defer { try? FileManager.default.removeItem(at: folder) }
        let language = folder.appending(path: "en.lproj")
        try FileManager.default.createDirectory(at: language, withIntermediateDirectories: true)
        let table = "\"exponea.inbox.title\" = \"Letters\";\n\"exponea.inbox.defaultTitle\" = \"A letter\";\n"
        try Data(table.utf8).write(to: language.appending(path: "Localizable.strings"))
        let texts = AppInboxTexts(bundle: try #require(Bundle(path: folder.path)))
        #expect(texts[.title] == "Letters" && texts[.defaultTitle] == "A letter")
        #expect(texts[.mainActionTitle] == "See more" && texts.cardTexts.language == .english)
    }
}
