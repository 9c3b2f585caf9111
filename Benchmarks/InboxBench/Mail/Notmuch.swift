import Foundation
import RawCounterpart

/// notmuch (Debian), which indexes mails that are stored as files.
final class Notmuch {
    private let handle: OpaquePointer
    private let settings: URL

    /// Indexes a mailbox. The settings are written to a folder.
    init(_ maildir: Maildir, settings folder: URL) throws {
        settings = folder.appending(path: "settings")
        try """
        [database]
        path=\(maildir.folder.path(percentEncoded: false))
        [user]
        name=Alice
        primary_email=alice@example.com
        [new]
        tags=new
        ignore=.uidvalidity;.mbsyncstate
        [search]
        exclude_tags=
        [maildir]
        synchronize_flags=false

        """.write(to: settings, atomically: true, encoding: .utf8)
        let settings = settings.path(percentEncoded: false)
        // Indexing isn't measured, so it isn't durable.
        let environment = ["NOTMUCH_CONFIG": settings, "LD_PRELOAD": "libeatmydata.so"]
        try InstalledProgram.run("notmuch", ["new", "--quiet", "--no-hooks"], environment: environment)
        guard let handle = raw_notmuch_open(maildir.folder.path(percentEncoded: false), settings) else {
            throw BenchmarkError("libnotmuch isn't installed, or can't open its index")
        }
        self.handle = handle
    }

    deinit { raw_notmuch_close(handle) }

    /// Finds the newest mails that match a query.
    ///
    /// - Returns: The number of mails.
    @discardableResult
    func search(_ query: String, limit: Int) throws -> Int {
        let count = raw_notmuch_search(handle, query, limit)
        guard count >= 0 else { throw BenchmarkError("notmuch can't search for \(query)") }
        return count
    }

    /// Returns the time in seconds in which the command-line tool finds the newest 50 mails, including its start and
    /// the opening of the index.
    func timeOfCommand(_ query: String) throws -> Double {
        let environment = ["NOTMUCH_CONFIG": settings.path(percentEncoded: false)]
        return median(
            try (0..<5).map { _ in
                try seconds {
                    try InstalledProgram.run(
                        "notmuch",
                        ["search", "--limit=50", "--output=messages", query],
                        environment: environment
                    )
                }
            }
        )
    }
}
