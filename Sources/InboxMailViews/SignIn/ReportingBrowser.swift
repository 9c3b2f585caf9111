import Foundation
import MailSignIn

/// A browser that reports when its page opens, and when it has returned.
struct ReportingBrowser: SignInBrowser {
    enum Step: Sendable { case opens, returned }

    private let browser: any SignInBrowser
    private let report: @Sendable (Step) async -> Void

    init(_ browser: any SignInBrowser, report: @escaping @Sendable (Step) async -> Void) {
        (self.browser, self.report) = (browser, report)
    }

    func prepare() async throws -> URL { try await browser.prepare() }

    func open(_ page: URL) async throws -> URL {
        await report(.opens)
        let url = try await browser.open(page)
        await report(.returned)
        return url
    }

    func close() async { await browser.close() }
}
