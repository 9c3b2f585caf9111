import Foundation
import Groundwork

/// A DNS server over UDP on this machine, which answers questions for SRV records.
final class DNSServer: Sendable {
    enum Zone: Sendable {
        /// The answer to each name.
        case records([String: [Record]])
        /// Answers with SERVFAIL.
        case failing
        /// Answers with bytes that aren't DNS.
        case garbage
        /// Doesn't answer.
        case silent
    }

    struct Record: Sendable {
        let priority: Int
        let weight: Int
        let port: Int
        let host: String
    }

    let port: Int
    private let descriptor: Int32
    private let asked = Locked<[String]>([])

    /// The names that were asked for.
    var names: [String] { asked.withLock { $0 } }

    init(_ zone: Zone) throws {
        #if canImport(Darwin)
            let descriptor = socket(AF_INET, SOCK_DGRAM, 0)
        #else
            let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
            }
        }
        guard descriptor >= 0, isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        self.descriptor = descriptor
        port = Int(in_port_t(bigEndian: address.sin_port))
        Thread.detachNewThread { [asked] in
            var question = [UInt8](repeating: 0, count: 512)
            while true {
                var client = sockaddr_storage()
                var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
                let answer = withUnsafeMutablePointer(to: &client) { client in
                    client.withMemoryRebound(to: sockaddr.self, capacity: 1) { client -> Bool in
                        let count = recvfrom(descriptor, &question, question.count, 0, client, &size)
                        guard count > 12 else { return false }
                        let bytes = Self.answer(to: Array(question[..<count]), zone) { name in
                            asked.withLock { $0.append(name) }
                        }
                        if let bytes { _ = sendto(descriptor, bytes, bytes.count, 0, client, size) }
                        return true
                    }
                }
                guard answer else { return }
            }
        }
    }

    /// Ends the thread, which waits for a question, with one that is too short.
    deinit {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = in_port_t(port).bigEndian
        _ = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                sendto(descriptor, [0], 1, 0, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func answer(to question: [UInt8], _ zone: Zone, _ ask: (String) -> Void) -> [UInt8]? {
        var (labels, at) = ([String](), 12)
        while at < question.count, question[at] > 0 {
            let end = at + 1 + Int(question[at])
            labels.append(String(decoding: question[(at + 1)..<min(end, question.count)], as: UTF8.self))
            at = end
        }
        let end = min(at + 5, question.count)
        let name = labels.joined(separator: ".").lowercased()
        ask(name)
        func header(_ code: UInt8, _ count: Int) -> [UInt8] {
            question[..<2] + [0x81, 0x80 | code, 0, 1, 0, UInt8(count), 0, 0, 0, 0] + question[12..<end]
        }
        switch zone {
        case .silent: return nil
        case .garbage: return header(0, 3) + [0xC0, 0x0C, 0, 33, 0, 1, 0, 0, 0, 60, 0xFF, 0xFF, 1]
        case .failing: return header(2, 0)
        case .records(let records):
            guard let found = records[name] else { return header(3, 0) }
            return header(0, found.count)
                + found.flatMap { record -> [UInt8] in
                    let labels = record.host.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
                    let data =
                        [record.priority, record.weight, record.port].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
                        + labels + [0]
                    return [0xC0, 0x0C, 0, 33, 0, 1, 0, 0, 0, 60, UInt8(data.count >> 8), UInt8(data.count & 255)]
                        + data
                }
        }
    }
}
