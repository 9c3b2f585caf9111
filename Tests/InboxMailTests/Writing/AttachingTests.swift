import Foundation
import Groundwork
import Replica
import Testing

@testable import InboxMail

/// Files that are copied into drafts on a disk that is full, or while they change.
@Suite(.timeLimit(.minutes(5))) struct AttachingTests {
    /// Runs a test with a folder on a disk of a megabyte; nothing if this user can't mount one.
    private func withSmallDisk(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("disk-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        guard run("mount", "-t", "tmpfs", "-o", "size=1m,mode=0700", "tmpfs", folder.path) else { return }
        defer { _ = run("umount", "--lazy", folder.path) }
        try body(folder)
    }

    private func run(_ arguments: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    @Test func `a file too large for the disk leaves nothing, and smaller ones can be added`() throws {
        try withSmallDisk { disk in
            let files = DraftFiles(
                StoreLocation(directory: disk, server: URL(string: "https://mail.example")!, person: "alice")
            )
            let original = FileManager.default.temporaryDirectory.appendingPathComponent("original-\(UUID())")
            defer { try? FileManager.default.removeItem(at: original) }
            let large = Data(repeating: 7, count: 2 << 20)
            try large.write(to: original)
            let attempts: [() throws -> Void] = [
                { _ = try files.copy(original, as: "one", of: "d1") },
                { _ = try files.write(large, as: "one", of: "d1") },
            ]
            for attempt in attempts {
                do {
                    try attempt()
                    Issue.record("it fits")
                } catch {
                    #expect(error.isFullDisk, "\(error)")
                }
                let left = try FileManager.default.subpathsOfDirectory(atPath: files.folder.path)
                #expect(left == ["d1"])
            }
            let small = Data(repeating: 7, count: 1 << 19)
            let copied = try files.write(small, as: "one", of: "d1")
            #expect(copied.size == small.count)
        }
    }

    /// Another program writes the file all the time.
    @Test func `a file that changes while it is copied isn't attached`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("changing-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let isOver = Locked(false)
        defer {
            isOver.withLock { $0 = true }
            try? FileManager.default.removeItem(at: folder)
        }
        let original = folder.appendingPathComponent("log.txt")
        try Data(count: 8 << 20).write(to: original)
        Thread.detachNewThread {
            guard let handle = try? FileHandle(forWritingTo: original) else { return }
            var number: UInt64 = 0
            while !isOver.withLock({ $0 }) {
                number += 1
                try? handle.seek(toOffset: 0)
                try? handle.write(contentsOf: withUnsafeBytes(of: number) { Data($0) })
            }
            try? handle.close()
        }
        let files = DraftFiles(
            StoreLocation(directory: folder, server: URL(string: "https://mail.example")!, person: "alice")
        )
        var refusal: MailError?
        // The other program may have to wait for a processor.
        for _ in 0..<50 where refusal == nil {
            do {
                _ = try files.copy(original, as: "one", of: "d1")
            } catch let error as MailError {
                refusal = error
            }
        }
        #expect(refusal?.code == .invalidArgument)
        #expect(refusal?.description.contains("log.txt changed while it was copied") ?? false)
        let left = try FileManager.default.subpathsOfDirectory(atPath: files.folder.path)
        #expect(!left.contains { $0.hasSuffix(".part") })
    }
}
