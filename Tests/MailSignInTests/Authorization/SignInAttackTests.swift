import Foundation
import Groundwork
import Testing

@testable import MailSignIn

/// Servers, networks and programs that try to get a code or a token.
@Suite(.timeLimit(.minutes(5))) struct SignInAttackTests {
    private static let metadataURL = "https://auth.example.com/.well-known/oauth-authorization-server"
    private static let resourceURL = "https://mail.example.com/.well-known/oauth-protected-resource/jmap/session"

    private static func returning(_ query: String, at uri: String = "http://127.0.0.1:5000/return") -> MachineScript {
        var script = MachineScript.complete
        script.returns = { _ in "\(uri)?\(query)" }
        return script
    }

    private static let issuer = "iss=https%3A%2F%2Fauth.example.com"

    /// Whether a run has sent nothing to a token endpoint.
    private static func expectNoCodeSent(_ script: MachineScript, _ code: SignInError.Code) throws {
        let outcome = try script.run()
        #expect(outcome.error?.code == code)
        #expect(outcome.grant == nil)
        #expect(!outcome.log.contains { $0.hasSuffix("/token") })
    }

    @Test(arguments: ["https://evil.example", "https://auth.example.com/", "https://AUTH.example.com", ""])
    func `mix-up: a code of another issuer isn't sent anywhere`(issuer: String) throws {
        let query = FormData.text([("code", "c"), ("state", "the-state"), ("iss", issuer)])
        try Self.expectNoCodeSent(Self.returning(query), .wrongIssuer)
    }

    @Test func `mix-up: an issuer that is promised has to be there`() throws {
        try Self.expectNoCodeSent(Self.returning("code=c&state=the-state"), .wrongIssuer)
        try Self.expectNoCodeSent(Self.returning("error=access_denied&state=the-state"), .wrongIssuer)
    }

    @Test func `an issuer that isn't promised may be missing`() throws {
        var script = Self.returning("code=c&state=the-state")
        script.answers[Self.metadataURL] = .json(
            MachineScript.metadata(
                "https://auth.example.com",
                JSONObject([("authorization_response_iss_parameter_supported", false)])
            )
        )
        #expect(try script.run().grant != nil)
    }

    @Test(arguments: [
        "code=c&state=another", "code=c", "code=c&state=", "code=c&state=the-state&state=the-state",
        "code=c&code=d&state=the-state", "code=c&state=the-state2", "code=c&state=%FF",
    ])
    func `a changed, missing or repeated state is an answer to another request`(query: String) throws {
        try Self.expectNoCodeSent(Self.returning("\(query)&\(Self.issuer)"), .invalidRedirect)
    }

    @Test(arguments: [
        "http://127.0.0.1:5001/return", "http://127.0.0.1:5000/other", "https://127.0.0.1:5000/return",
        "http://evil.example:5000/return", "http://127.0.0.1:5000/return/",
    ])
    func `a return to another address is an answer to another request`(uri: String) throws {
        try Self.expectNoCodeSent(Self.returning("code=c&state=the-state&\(Self.issuer)", at: uri), .invalidRedirect)
    }

    @Test func `a replayed return does nothing`() throws {
        var machine = try MachineScript.complete.run().machine
        let url = URL(string: "http://127.0.0.1:5000/return?code=c&state=the-state&\(Self.issuer)")!
        if machine.handle(.returned(url)) != nil { Issue.record("the code was used again") }
        // While the first one's tokens are on their way, too.
        var script = MachineScript.complete
        var exchanges = 0
        script.input.clientID = "client"
        machine = try SignInMachine(script.input)
        var effect: SignInMachine.Effect? = machine.start()
        effect = machine.handle(.records(script.records?["_jmap._tcp"] ?? []))
        while case .send(let request)? = effect,
            case .response(let status, let headers, let body)? = script.answers[request.url.absoluteString]
        {
            effect = machine.handle(
                .response(
                    TransportResponse(status: status, headers: headers, body: body?.utf8 ?? [], url: request.url)
                )
            )
        }
        for _ in 0..<3 {
            if case .exchange? = machine.handle(.returned(url)) { exchanges += 1 }
        }
        #expect(exchanges == 1)
    }

    @Test(arguments: ["https://evil.example", "https://auth.example.com/", "http://auth.example.com", ""])
    func `metadata of another issuer aren't used`(issuer: String) throws {
        var script = MachineScript.complete
        script.answers[Self.metadataURL] = .json(
            MachineScript.metadata("https://auth.example.com", JSONObject([("issuer", .string(issuer))]))
        )
        try Self.expectNoCodeSent(script, .wrongIssuer)
        #expect(try script.run().page == nil)
    }

    @Test(arguments: [
        "https://evil.example/jmap/session", "https://mail.example.com", "https://mail.example.com/jmap/session/", "",
    ])
    func `metadata of another resource aren't used`(resource: String) throws {
        var script = MachineScript.complete
        script.answers[Self.resourceURL] = .json([
            "resource": .string(resource), "authorization_servers": ["https://auth.example.com"],
        ])
        try Self.expectNoCodeSent(script, .wrongIssuer)
    }

    @Test(arguments: ["authorization_endpoint", "token_endpoint", "registration_endpoint", "revocation_endpoint"])
    func `an endpoint without https, or on this machine, isn't used`(name: String) throws {
        for target in ["http://auth.example.com/x", "http://127.0.0.1/x", "file:///x", "https://a:b@auth.example.com/"]
        {
            var script = MachineScript.complete
            script.answers[Self.metadataURL] = .json(
                MachineScript.metadata("https://auth.example.com", JSONObject([(name, .string(target))]))
            )
            try Self.expectNoCodeSent(script, .invalidAnswer)
        }
    }

    @Test(arguments: ["http://auth.example.com", "http://127.0.0.1:9", "https://auth.example.com?a=b", "javascript:1"])
    func `an issuer without https isn't asked`(issuer: String) throws {
        var script = MachineScript.complete
        script.answers[Self.resourceURL] = .json([
            "resource": "https://mail.example.com/jmap/session", "authorization_servers": [.string(issuer)],
        ])
        let outcome = try script.run()
        #expect(outcome.error?.code == .noAuthorizationServer)
        #expect(outcome.requests.allSatisfy { $0.url.host() == "mail.example.com" })
    }

    @Test(arguments: [metadataURL, resourceURL, "https://auth.example.com/register", "https://auth.example.com/token"])
    func `open redirect: a redirect of metadata, registration or tokens isn't followed`(url: String) throws {
        for status in [301, 302, 303, 307, 308] {
            var script = MachineScript.complete
            script.answers[url] = .status(status, ["location": "https://evil.example/"])
            let outcome = try script.run()
            #expect(outcome.grant == nil)
            #expect(outcome.error != nil)
            #expect(!outcome.log.contains { $0.contains("evil.example") })
        }
    }

    @Test func `an answer that a transport has fetched from elsewhere isn't used`() throws {
        var machine = try SignInMachine(MachineScript.complete.input)
        machine.state = .findingIssuer(
            DiscoveredServer(
                server: URL(string: "https://m.example.com")!,
                session: URL(string: "https://m.example.com/s")!
            ),
            issuer: "https://auth.example.com",
            rest: []
        )
        machine.askedURL = URL(string: "https://auth.example.com/metadata")
        let elsewhere = TransportResponse(
            status: 200,
            body: MachineScript.metadata().utf8,
            url: URL(string: "https://evil.example/metadata")!
        )
        guard case .finish(.failure(let error))? = machine.handle(.response(elsewhere)) else {
            Issue.record("it was used")
            return
        }
        #expect(error.code == .wrongIssuer)
    }

    @Test func `a server without S256 isn't used, as its codes could be stolen`() throws {
        var script = MachineScript.complete
        script.answers[Self.metadataURL] = .json(
            MachineScript.metadata(
                "https://auth.example.com",
                JSONObject([("code_challenge_methods_supported", ["plain"])])
            )
        )
        try Self.expectNoCodeSent(script, .noAuthorizationServer)
    }

    @Test func `tokens and codes are in no description`() throws {
        let grant = try #require(try MachineScript.complete.run().grant)
        var dumped = ""
        dump(grant, to: &dumped)
        let texts = ["\(grant)", String(reflecting: grant), dumped, "\(Optional(grant) as Any)", "\([grant])"]
        for text in texts { #expect(!text.contains("access-1") && !text.contains("refresh-1")) }
    }
}
