import Eventually
import Foundation
import Testing

@testable import inbox

/// The person's browser, as it is started.
@Suite(.timeLimit(.minutes(5))) struct SystemBrowserTests {
    /// One that blocks them can't be ended by the desktop.
    @Test func `a browser that is opened doesn't inherit that signals are blocked`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "browser-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (program, answer) = (folder.appending(path: "browser").path, folder.appending(path: "answer").path)
        let script = """
            #!/bin/sh
            signal=blocked
            trap 'signal=handled' TERM
            kill -TERM $$
            echo "$signal $1" > '\(answer).new'
            mv '\(answer).new' '\(answer)'

            """
        try Data(script.utf8).write(to: URL(fileURLWithPath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let page = try #require(URL(string: "https://mail.example/authorize"))
        // As a thread of Dispatch has it, which runs tasks.
        Thread.detachNewThread {
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_SETMASK, &signals, nil)
            SystemBrowser(environment: ["BROWSER": program]).open(page)
        }
        #expect(try await eventually { FileManager.default.fileExists(atPath: answer) })
        let text = try String(contentsOf: URL(fileURLWithPath: answer), encoding: .utf8)
        #expect(text == "handled https://mail.example/authorize\n")
    }
}
