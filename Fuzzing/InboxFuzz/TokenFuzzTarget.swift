import Foundation
import Groundwork

@testable import InboxServer
@testable import InboxService

/// Checks that a forged token is rejected, whatever its claims.
struct TokenFuzzTarget: FuzzTarget {
    private let tokens: AppTokens
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("inbox-fuzz-\(UUID())")
        tokens = wait {
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                defer { try? FileManager.default.removeItem(at: folder) }
                let file = folder.appendingPathComponent("secret")
                // A random secret, which no input contains.
                let secret = (0..<32).map { _ in UInt8.random(in: 0x80...0xFF) }
                try Data(secret).write(to: file)
                return try await AppTokens(AppTokenSettings(secrets: [file]))
            } catch {
                fatalError("\(error)")
            }
        }
    }

    func process(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let token = try? SignedToken(text), (try? tokens.verify(token, at: now)) != nil {
            fatalError("a forged token was accepted")
        }
        let now = now
        _ = wait { try? await TokenInspection(of: text, settings: nil, now: now) }
    }
}
