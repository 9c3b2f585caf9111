import Eventually
import Foundation
import GRDB
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// The addresses that webhooks may use.
@Suite(.timeLimit(.minutes(10))) struct WebhookAddressTests {
    @Test(arguments: [
        "8.8.8.8", "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0",
        "198.17.255.255", "198.20.0.0", "223.255.255.255", "2000::1", "2001:200::1", "2606:4700:4700::1111",
        "2003::1", "2a00:1450:4001:80b::200e",
    ])
    func `addresses outside the reserved ranges are public`(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.isPublic)
        #expect(address.text == text)
    }

    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
        "127.255.255.254",
        "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1",
        "198.18.0.1",
        "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
        // Loopback, unspecified, link-local, site-local, unique-local, multicast.
        "::1", "::", "fe80::1", "febf::1", "fec0::1", "fc00::1", "fd12:3456::1", "ff02::1",
        // IPv4 inside: mapped, compatible, translated, NAT64 (both prefixes), 6to4, Teredo.
        "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1",
        "64:ff9b::808:808",
        "64:ff9b:1::1", "2002:7f00:1::1", "2002:808:808::1", "2001:0:1::1", "2001:2::1", "2001:10::1", "2001:20::1",
        // Documentation, discard-only, unassigned.
        "2001:db8::1", "3fff::1", "100::1", "5f00::1", "4000::1", "1::1", "fe00::1",
    ])
    func `reserved, private and embedded addresses are not public`(text: String) throws {
        #expect(try #require(IPAddress(text)).isPublic == false)
    }

    @Test(arguments: [
        "", "localhost", "1.2.3", "1.2.3.4.5", "256.1.1.1", "0x7f.1", "2130706433", "[::1]", "::1%eth0", "::g",
        "1.2.3.4 ",
    ])
    func `text that isn't an address is nil`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func `names and numeric forms are resolved as the system does`() async throws {
        #expect(try await IPAddress.resolve("127.0.0.1").map(\.text) == ["127.0.0.1"])
        #expect(try await IPAddress.resolve("::1").map(\.text) == ["::1"])
        // The system reads it as an address when it connects: so the address is checked, and not the text.
        #expect(try await IPAddress.resolve("2130706433").map(\.text) == ["127.0.0.1"])
        #expect(try await IPAddress.resolve("0x7f.1").map(\.text) == ["127.0.0.1"])
        #expect(try await IPAddress.resolve("localhost").allSatisfy { !$0.isPublic })
    }

    // MARK: - The transport

    private func request(_ url: String) throws -> TransportRequest {
        TransportRequest(method: "POST", url: try #require(URL(string: url)), body: Array("{}".utf8))
    }

    private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    /// Runs a test with a receiver and a transport that resolves names by a table.
    private func withTransport(
        allowsPrivate: Bool = false,
        _ table: [String: [String]],
        _ body: (WebhookTransport, WebhookReceiver, Locked<[String]>) async throws -> Void
    ) async throws {
        let receiver = try await WebhookReceiver.start()
        let asked = Locked<[String]>([])
        let transport = WebhookTransport(allowsPrivate: allowsPrivate) { host in
            asked.withLock { $0.append(host) }
            if let address = IPAddress(host) { return [address] }
            return (table[host] ?? []).compactMap { IPAddress($0) }
        }
        do {
            try await body(transport, receiver, asked)
        } catch {
            await transport.shutDown()
            try await receiver.stop()
            throw error
        }
        await transport.shutDown()
        try await receiver.stop()
    }

    @Test func `the transport connects to the resolved address and sends the name as Host`() async throws {
        // No name server knows this name: only the table resolves it.
        try await withTransport(allowsPrivate: true, ["hook.invalid": ["127.0.0.1"]]) { transport, receiver, asked in
            let url = "http://hook.invalid:\(receiver.port)/a?b=c"
            for _ in 0..<3 {
                let (status, _) = try await transport.post(try request(url), readingUpTo: 10)
                #expect(status == 204)
            }
            #expect(asked.withLock { $0 } == ["hook.invalid", "hook.invalid", "hook.invalid"], "resolved each time")
            #expect(receiver.hosts == Array(repeating: "hook.invalid:\(receiver.port)", count: 3))
        }
    }

    @Test(arguments: [
        ["127.0.0.1"], ["10.0.0.1"], ["169.254.169.254"], ["::1"], ["::ffff:127.0.0.1"], ["64:ff9b::7f00:1"],
        ["100.64.0.1"],
        ["8.8.8.8", "127.0.0.1"], ["127.0.0.1", "8.8.8.8"], ["2606:4700::1", "fd00::1"],
    ])
    func `a name with an address that isn't public is not allowed`(addresses: [String]) async throws {
        try await withTransport(["hook.invalid": addresses]) { transport, receiver, _ in
            await #expect(throws: WebhookTransport.AddressNotAllowedError.self) {
                try await transport.post(try request("http://hook.invalid:\(receiver.port)/"), readingUpTo: 10)
            }
            #expect(receiver.deliveries.isEmpty)
        }
    }

    @Test(arguments: ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "10.0.0.1", "0.0.0.0"])
    func `a literal address that isn't public is not allowed`(host: String) async throws {
        try await withTransport([:]) { transport, receiver, _ in
            await #expect(throws: WebhookTransport.AddressNotAllowedError.self) {
                try await transport.post(try request("http://\(host):\(receiver.port)/"), readingUpTo: 10)
            }
            #expect(receiver.deliveries.isEmpty)
        }
    }

    @Test func `https needs a trusted certificate for the name`() async throws {
        try await withFolder { folder in
            let authority = try await TestAuthority.make(in: folder)
            let certificate = try await authority.certificate("server")
            try await withServer {
                $0.certificate = certificate
                // Not among the certificate's addresses: NIOSSL also accepts a certificate for the address.
                $0.host = "127.0.0.2"
            } _: { server in
                let port = try #require(server.url.port)
                let loopback = try address("127.0.0.2")
                let transport = WebhookTransport(
                    allowsPrivate: true,
                    resolve: { _ in [loopback] },
                    authorities: authority.root
                )
                // The certificate is for localhost and 127.0.0.1.
                let (status, _) = try await transport.post(
                    try request("https://localhost:\(port)/health"),
                    readingUpTo: 100
                )
                #expect(status == 405)
                await #expect(throws: TransportError.self) {
                    try await transport.post(try request("https://other.invalid:\(port)/health"), readingUpTo: 100)
                }
                await transport.shutDown()
                let strict = WebhookTransport(allowsPrivate: true, resolve: { _ in [loopback] })
                await #expect(throws: TransportError.self, "the system trusts no authority of it") {
                    try await strict.post(try request("https://localhost:\(port)/health"), readingUpTo: 100)
                }
                await strict.shutDown()
            }
        }
    }

    @Test func `150 targets are all reached with at most 64 clients`() async throws {
        let names = (0..<150).map { "hook\($0).invalid" }
        let table = Dictionary(uniqueKeysWithValues: names.map { ($0, ["127.0.0.1"]) })
        try await withTransport(allowsPrivate: true, table) { transport, receiver, _ in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for name in names {
                    let request = try request("http://\(name):\(receiver.port)/hook")
                    group.addTask { try await transport.post(request, readingUpTo: 10).0 }
                }
                for try await status in group { #expect(status == 204) }
            }
            #expect(Set(receiver.hosts).count == 150)
            #expect(transport.clientCount <= 64)
        }
    }

    // MARK: - The reasons in the outbox

    @Test func `without the option, loopback is rejected in settings and at delivery`() async throws {
        let clock = ManualClock()
        try await withReceiver(clock: clock) {
            $0.allowsPrivateWebhooks = false
        } _: { server, receiver in
            for url in [
                receiver.url, "http://localhost:\(receiver.port)/", "https://127.0.0.1/", "https://10.0.0.1/",
                "https://169.254.169.254/",
                // Other spellings of 127.0.0.1, 0.0.0.0 and 10.0.0.1, and names of this machine.
                "https://127.1/", "https://2130706433/", "https://0x7f.1/", "https://0X7F000001/", "https://0/",
                "https://017700000001/", "https://10.1/", "https://127.1./", "https://localhost/",
                "https://localhost./", "https://foo.localhost/", "https://Foo.LocalHost./",
            ] {
                let answer = try await server.rest("POST", "/v1/webhooks", ["url": .string(url), "types": ["*"]])
                #expect(answer.status == 400, "\(url)")
            }
            // A webhook from before the option, and a name that resolves to this machine.
            let reasons = try await server.reasons(of: [
                receiver.url, "http://localhost:\(receiver.port)/", "https://2130706433/", "https://localhost:1/",
            ])
            #expect(reasons == Array(repeating: "not allowed", count: 4))
            #expect(receiver.deliveries.isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func `a host that ends in a number and is no IPv4 address is rejected`(allowsPrivate: Bool) async throws {
        try await withServer(configure: { $0.allowsPrivateWebhooks = allowsPrivate }) { server in
            for host in ["1.2.3.4.5", "256.1.1.1", "4294967296", "08.1", "a.1", "example.0x7f", "1..2"] {
                let hook: JSON = ["url": .string("https://\(host)/"), "types": ["*"]]
                let status = try await server.rest("POST", "/v1/webhooks", hook).status
                #expect(status == 400, "\(host)")
            }
            for host in ["8.8.8.8", "134744072", "1.example", "localhost.example", "a.0xyz"] {
                let hook: JSON = ["url": .string("https://\(host)/"), "types": ["*"]]
                let status = try await server.rest("POST", "/v1/webhooks", hook).status
                #expect(status == 201, "\(host)")
            }
        }
    }

    @Test func `every network failure has the same reason`() async throws {
        let clock = ManualClock()
        try await withReceiver(clock: clock) { server, receiver in
            let closed = try await WebhookReceiver.start()
            let url = closed.url
            try await closed.stop()
            let reasons = try await server.reasons(of: [
                url, "https://127.0.0.1:\(receiver.port)/", "https://nonesuch.invalid/",
            ])
            // A closed port, a port without TLS, and an unknown name.
            #expect(reasons == Array(repeating: "no answer", count: 3))
        }
    }
}

extension TestServer {
    /// The reasons of payloads to some URLs after their first attempt. The URLs are stored without validation.
    fileprivate func reasons(of urls: [String]) async throws -> [String] {
        for url in urls {
            let (id, _) = try await addWebhook("https://example.invalid/", ["event.opened"])
            try await storage().writeTables { db in
                try db.run("UPDATE webhook SET url = ? WHERE id = ?", [url, WebhookID(id)?.rawValue ?? 0])
            }
        }
        let message = try await send(to: ["person": "ann"])
        try await device(of: "ann").track("opened", message, uid: "u1")
        func reasons() async throws -> [String] {
            try await storage().readTables {
                try $0.values("SELECT reason FROM outbox WHERE attempts > 0 ORDER BY webhook")
            }
        }
        _ = try await eventually { try await reasons().count == urls.count }
        return try await reasons()
    }
}
