@testable import AdobeCompatibility
import Foundation
import InboxCards
import Testing

/// The texts of Adobe's screens.
@Suite(.timeLimit(.minutes(5))) struct AdobeTextTests {
    @Test func `in English the texts are Adobe's, word for word`() {
        let texts = CardTexts.adobe(preferring: ["en-GB", "de"])
        #expect(texts[.loading] == "Loading..." && texts[.tryAgain] == "Try Again")
        #expect(texts.noCards == "No content cards available")
        #expect(texts.loadingFailed == "An error occurred while loading your inbox")
        #expect(texts.locale.identifier(.bcp47) == "en-GB")
        #expect(CardTexts.adobe(preferring: ["tlh"])[.loading] == "Loading...")
    }

    @Test(arguments: CardLanguage.allCases.filter { $0 != .english })
    func `no text of Adobe's screens is left in English`(_ language: CardLanguage) {
        let (texts, english) = (CardTexts.adobe(preferring: [language.rawValue]), CardTexts.adobe(preferring: ["en"]))
        #expect(texts == CardTexts(preferring: [language.rawValue]))
        for path: KeyPath<CardTexts, String> in [\.noCards, \.loadingFailed] {
            #expect(texts[keyPath: path] != english[keyPath: path] && !texts[keyPath: path].isEmpty)
        }
    }
}
