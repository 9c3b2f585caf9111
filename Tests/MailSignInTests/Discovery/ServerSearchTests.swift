import Foundation
import Groundwork
import Testing

@testable import MailSignIn

@Suite(.timeLimit(.minutes(5))) struct ServerSearchTests {
    @Test func `an address leads to the server that its SRV record names`() throws {
        let outcome = try MachineScript.complete.run()
        #expect(
            outcome.log.prefix(3) == [
                "SRV _jmap._tcp", "GET https://mail.example.com/.well-known/jmap",
                "GET https://mail.example.com/jmap/session",
            ]
        )
        #expect(outcome.grant?.server.absoluteString == "https://mail.example.com")
    }

    @Test(arguments: [[:], nil] as [[String: [ServiceRecord]]?])
    func `the domain itself is asked where DNS names no server`(records: [String: [ServiceRecord]]?) throws {
        var script = MachineScript()
        script.records = records
        script.answers = ["https://example.com/.well-known/jmap": .status(401)]
        #expect(try script.run().log.prefix(2) == ["SRV _jmap._tcp", "GET https://example.com/.well-known/jmap"])
    }

    @Test func `the person is asked about a host outside the domain before anything is sent`() throws {
        var script = MachineScript.complete
        script.records = ["_jmap._tcp": [ServiceRecord(host: "jmap.provider.net", port: 8443)]]
        script.answers["https://jmap.provider.net:8443/.well-known/jmap"] = .status(401)
        let log = try script.run().log
        #expect(
            log.prefix(3) == [
                "SRV _jmap._tcp", "confirm jmap.provider.net", "GET https://jmap.provider.net:8443/.well-known/jmap",
            ]
        )
        script.confirms = false
        let declined = try script.run()
        #expect(declined.error?.code == .cancelled)
        #expect(declined.requests.isEmpty)
    }

    @Test func `a host whose name only ends like the domain is asked about`() throws {
        var script = MachineScript()
        script.records = ["_jmap._tcp": [ServiceRecord(host: "evil-example.com", port: 443)]]
        #expect(try script.run().log.contains("confirm evil-example.com"))
    }

    @Test func `the person is asked about a redirect to another host, which is the server then`() throws {
        var script = MachineScript.complete
        script.answers["https://mail.example.com/.well-known/jmap"] = .redirect("https://api.provider.net/session")
        script.answers["https://api.provider.net/session"] = .status(401)
        let api = "https://api.provider.net/.well-known/oauth-protected-resource"
        script.answers["\(api)/session"] = .json([
            "resource": "https://api.provider.net/session", "authorization_servers": ["https://auth.example.com"],
        ])
        let outcome = try script.run()
        #expect(outcome.log.filter { $0.hasPrefix("confirm") } == ["confirm api.provider.net"])
        #expect(outcome.grant?.server.absoluteString == "https://api.provider.net/session")
    }

    @Test(arguments: [
        "http://mail.example.com/jmap", "http://127.0.0.1/jmap", "ftp://mail.example.com/",
        "https://a@mail.example.com/",
    ])
    func `a redirect without https, or with a user name, isn't followed`(target: String) throws {
        var script = MachineScript()
        script.answers = ["https://mail.example.com/.well-known/jmap": .redirect(target)]
        let outcome = try script.run()
        #expect(outcome.error?.code == .noJMAP)
        #expect(outcome.requests.count == 1)
    }

    @Test func `endless redirects end after six requests`() throws {
        var script = MachineScript()
        script.answers = ["https://mail.example.com/.well-known/jmap": .redirect("/.well-known/jmap")]
        let outcome = try script.run()
        #expect(outcome.error?.code == .noJMAP)
        #expect(outcome.requests.count == 6)
    }

    @Test func `a session without a sign-in is a JMAP server too`() throws {
        var script = MachineScript.complete
        script.answers["https://mail.example.com/jmap/session"] = .json([
            "capabilities": ["urn:ietf:params:jmap:core": [:]], "apiUrl": "/jmap/",
        ])
        #expect(try script.run().grant != nil)
    }

    @Test func `the error describes what was found instead of JMAP`() throws {
        var script = MachineScript()
        script.records = ["_jmap._tcp": []]
        let missing = try script.run().error
        #expect(missing?.code == .noJMAP)
        #expect(missing?.description.contains("example.com answered with status 404.") == true)
        script.answers = ["https://example.com/.well-known/jmap": .status(200)]
        #expect(try script.run().error?.description.contains("not with a JMAP session") == true)
        script.answers = ["https://example.com/.well-known/jmap": .failure(.unreachable("no such host"))]
        let silent = try script.run().error
        #expect(silent?.code == .noJMAP)
        #expect(silent?.description.contains("example.com can't be reached.") == true)
    }

    @Test(arguments: ["_imaps._tcp", "_imap._tcp"])
    func `a domain with IMAP only has a failure of its own, with the server`(service: String) throws {
        var script = MachineScript()
        script.records = [service: [ServiceRecord(host: "imap.example.com", port: 993)]]
        let error = try script.run().error
        #expect(error?.code == .onlyIMAP)
        #expect(error?.description.contains("imap.example.com") == true)
    }

    @Test func `a domain whose SRV record denies JMAP gets no request`() throws {
        var script = MachineScript()
        script.records = ["_jmap._tcp": [ServiceRecord(host: "", port: 0)]]
        let outcome = try script.run()
        #expect(outcome.error?.code == .noJMAP)
        #expect(outcome.requests.isEmpty)
    }

    @Test func `without a network the failure is the network`() throws {
        var script = MachineScript()
        script.records = nil
        script.answers = ["https://example.com/.well-known/jmap": .failure(.unreachable("no such host"))]
        #expect(try script.run().error?.code == .notConnected)
        script.records = ["_jmap._tcp": [ServiceRecord(host: "mail.example.com", port: 443)]]
        script.answers = ["https://mail.example.com/.well-known/jmap": .failure(.unreachable("refused"))]
        #expect(try script.run().error?.code == .notConnected)
        script.answers = ["https://mail.example.com/.well-known/jmap": .failure(.timedOut(after: 20))]
        #expect(try script.run().error?.code == .timedOut)
        script.answers = ["https://mail.example.com/.well-known/jmap": .status(503)]
        #expect(try script.run().error?.code == .serverError)
        script.answers = ["https://mail.example.com/.well-known/jmap": .failure(.tooLarge(limit: 262_144))]
        #expect(try script.run().error?.code == .invalidAnswer)
    }

    @Test func `servers are tried by priority and weight, up to four`() throws {
        var script = MachineScript()
        let hosts = [("c", 2, 9), ("b", 1, 1), ("a", 1, 5), ("d", 3, 0), ("e", 4, 0)]
        script.records = [
            "_jmap._tcp": hosts.map {
                ServiceRecord(host: "\($0.0).example.com", port: 443, priority: $0.1, weight: $0.2)
            }
        ]
        let asked = try script.run().requests.compactMap { $0.url.host()?.prefix(1) }
        #expect(asked == ["a", "b", "c", "d"])
    }

    @Test func `a domain of any script is looked up in ASCII, and its host is its own`() throws {
        var script = MachineScript()
        script.input.address = "anna@Bücher.example"
        script.records = ["_jmap._tcp": [ServiceRecord(host: "mail.xn--bcher-kva.example", port: 443)]]
        let log = try script.run().log
        // The person isn't asked about a host of the address's domain.
        #expect(log.prefix(2) == ["SRV _jmap._tcp", "GET https://mail.xn--bcher-kva.example/.well-known/jmap"])
        #expect(try MailDomain(of: "anna@bücher.example") == MailDomain(of: "anna@xn--bcher-kva.example"))
    }

    @Test func `a server that the person names is used without DNS and without a question`() throws {
        var script = MachineScript()
        script.input.server = URL(string: "http://127.0.0.1:8080")
        let outcome = try script.run()
        #expect(outcome.log == ["GET http://127.0.0.1:8080/.well-known/jmap"])
        #expect(outcome.error?.code == .noJMAP)
        script.input.server = URL(string: "http://mail.example.com")
        #expect(throws: SignInError.self) { try SignInMachine(script.input) }
    }

    @Test(arguments: [
        "anna", "@example.com", "anna@", "anna@exa mple.com", "anna@-a.com", "anna@a..com", "a@b/c", "a@[::1]",
        "a@b\u{202E}c", "a@xn--.com",
    ])
    func `an invalid mail address is refused`(address: String) {
        #expect(throws: SignInError.self) { try MailDomain(of: address) }
    }

    @Test func `cancelling ends the sign-in at any time`() throws {
        var machine = try SignInMachine(MachineScript().input)
        _ = machine.start()
        guard case .finish(.failure(let error))? = machine.handle(.cancelled) else {
            Issue.record("it goes on")
            return
        }
        #expect(error.code == .cancelled)
        if machine.handle(.records([])) != nil { Issue.record("it goes on") }
    }
}
