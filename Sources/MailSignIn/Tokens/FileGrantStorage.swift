import Crypto
public import Foundation
public import Groundwork

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Stores grants as files that only their owner can read: mode 0600, in a folder of mode 0700.
///
/// A file is replaced atomically, and written to the disk before a call returns. Processes that share the folder
/// refresh tokens one after the other.
public struct FileGrantStorage: GrantStorage {
    /// The folder.
    public let directory: URL
    private let clock: any WallClock

    /// Creates a storage.
    ///
    /// - Parameters:
    ///   - directory: The folder. It is created if it doesn't exist, and its mode is changed to 0700.
    ///   - clock: The clock, to wait for other processes.
    public init(directory: URL, clock: any WallClock = SystemClock()) {
        (self.directory, self.clock) = (directory, clock)
    }

    /// The interval between attempts to get the lock, and the time after which another process counts as stuck, in
    /// seconds. A refresh takes less.
    private static let lockInterval = 0.05
    private static let lockDeadline = 60.0
    private static let maxSize = 1_048_576

    /// Returns the grant of an account; nil if there is none.
    ///
    /// - Throws: ``SignInError`` with the code `storage`.
    public func grant(of account: String) async throws -> SignInGrant? {
        let file = file(account)
        return try await onNewThread { try Self.read(file) }
    }

    /// Returns the grant in a file; nil if there is none.
    private static func read(_ file: URL) throws -> SignInGrant? {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw failure("can't be read", file)
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let bytes = try? handle.read(upToCount: maxSize)
        guard let grant = bytes.flatMap({ SignInGrant(storedForm: Array($0)) }) else {
            throw SignInError(.storage, "\(file.path) isn't a stored sign-in. Sign in again.")
        }
        return grant
    }

    /// Returns the addresses of the accounts that have a grant, sorted. A damaged file is left out.
    ///
    /// - Throws: ``SignInError`` with the code `storage`.
    public func addresses() async throws -> [String] {
        let directory = directory
        return try await onNewThread {
            guard FileManager.default.fileExists(atPath: directory.path) else { return [] }
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory.path) else {
                throw Self.failure("can't be read", directory)
            }
            var addresses: [String] = []
            for name in names where name.hasSuffix(".json") {
                let file = directory.appendingPathComponent(name, isDirectory: false)
                if let grant = try? Self.read(file) { addresses.append(grant.address) }
            }
            return addresses.sorted()
        }
    }

    /// Stores the grant of an account durably, or removes it.
    ///
    /// - Throws: ``SignInError`` with the code `storage`; the earlier grant is then still stored.
    public func store(_ grant: SignInGrant?, of account: String) async throws {
        let (file, directory) = (file(account), directory)
        let bytes = grant?.storedForm
        try await onNewThread {
            guard let bytes else {
                do { try PrivateFile.remove(file) } catch { throw Self.failure("can't be removed", file) }
                return
            }
            try Self.prepare(directory)
            do { try PrivateFile.write(bytes, to: file) } catch { throw Self.failure("can't be written", file) }
        }
    }

    /// Runs an operation while this process holds the lock of an account. It waits for another process for up to 60
    /// seconds.
    ///
    /// - Throws: ``SignInError`` with the code `storage` if the folder can't be used or another process holds the lock
    ///   for longer; the operation's errors.
    public func exclusively<T: Sendable>(
        of account: String,
        _ operation: @Sendable () async throws -> T
    ) async throws -> T {
        try Self.prepare(directory)
        let lock = FileLock(file(account).appendingPathExtension("lock"))
        let end = clock.now.addingTimeInterval(Self.lockDeadline)
        while !lock.acquire() {
            guard clock.now < end else {
                throw SignInError(.storage, "Another process uses \(file(account).path) and doesn't finish.")
            }
            try await clock.sleep(seconds: Self.lockInterval)
        }
        defer { lock.release() }
        return try await operation()
    }

    /// The file of an account. Its name is a digest, as an address may have characters that a file's name can't.
    func file(_ account: String) -> URL {
        let name = SHA256.hash(data: Data(account.utf8)).prefix(16).hexadecimal
        return directory.appendingPathComponent("\(name).json", isDirectory: false)
    }

    private static func prepare(_ directory: URL) throws {
        do {
            try FileManager.default.createDirectory(
                at: directory,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw failure("can't be created", directory)
        }
        // It may have been created by another program.
        guard chmod(directory.path, 0o700) == 0 else { throw failure("can't be made private", directory) }
    }

    private static func failure(_ what: String, _ file: URL) -> SignInError {
        SignInError(.storage, "\(file.path) \(what).")
    }
}
