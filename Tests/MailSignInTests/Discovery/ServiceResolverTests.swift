import Foundation
import Testing

@testable import MailSignIn

#if os(Linux)
    /// The system's resolver, which asks a DNS server of the test.
    @Suite(.timeLimit(.minutes(5))) struct ServiceResolverTests {
        private static func resolver(_ server: DNSServer) -> SystemServiceResolver {
            SystemServiceResolver(server: "127.0.0.1", port: server.port, seconds: 1)
        }

        @Test func `the records of a service are read with all their fields`() async throws {
            let server = try DNSServer(
                .records([
                    "_jmap._tcp.example.com": [
                        .init(priority: 10, weight: 5, port: 443, host: "mail.example.com"),
                        .init(priority: 300, weight: 0, port: 8_443, host: "b.example.net"),
                    ]
                ])
            )
            let records = try await Self.resolver(server).records(of: "_jmap._tcp", in: "example.com")
            #expect(
                records.sorted() == [
                    ServiceRecord(host: "mail.example.com", port: 443, priority: 10, weight: 5),
                    ServiceRecord(host: "b.example.net", port: 8_443, priority: 300, weight: 0),
                ]
            )
            #expect(Set(server.names) == ["_jmap._tcp.example.com"])
        }

        @Test func `a domain without records has none`() async throws {
            let server = try DNSServer(.records(["_imap._tcp.example.com": []]))
            #expect(try await Self.resolver(server).records(of: "_jmap._tcp", in: "example.com").isEmpty)
            #expect(try await Self.resolver(server).records(of: "_imap._tcp", in: "example.com").isEmpty)
        }

        @Test func `a record without a host is returned with an empty host`() async throws {
            let server = try DNSServer(
                .records(["_jmap._tcp.example.com": [.init(priority: 0, weight: 0, port: 0, host: "")]])
            )
            let records = try await Self.resolver(server).records(of: "_jmap._tcp", in: "example.com")
            #expect(records == [ServiceRecord(host: "", port: 0)])
        }

        @Test func `a DNS server that fails or sends garbage throws noDNS`() async throws {
            for zone in [DNSServer.Zone.failing, .garbage] {
                let server = try DNSServer(zone)
                await #expect(throws: SignInError.noDNS) {
                    try await Self.resolver(server).records(of: "_jmap._tcp", in: "example.com")
                }
            }
        }
    }
#endif
