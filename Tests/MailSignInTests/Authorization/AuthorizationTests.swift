import Foundation
import Groundwork
import Testing

@testable import MailSignIn

@Suite(.timeLimit(.minutes(5))) struct AuthorizationTests {
    @Test func `the metadata lead to the authorization server, a registration, and tokens`() throws {
        let outcome = try MachineScript.complete.run()
        #expect(
            outcome.log.suffix(5) == [
                "GET https://mail.example.com/.well-known/oauth-protected-resource/jmap/session",
                "GET https://auth.example.com/.well-known/oauth-authorization-server",
                "POST https://auth.example.com/register", "browse auth.example.com",
                "POST https://auth.example.com/token",
            ]
        )
        let grant = try #require(outcome.grant)
        #expect((grant.accessToken, grant.refreshToken) == ("access-1", "refresh-1"))
        #expect(grant.expiresAt == Date(timeIntervalSince1970: 1_777_593_600 + 3_600))
        #expect(grant.issuer == "https://auth.example.com")
    }

    @Test func `the request has the digest of a text that only the token endpoint receives`() throws {
        // The example of RFC 7636, appendix B.
        var script = MachineScript.complete
        script.input.verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let outcome = try script.run()
        let page = try #require(outcome.page)
        #expect(page.field("code_challenge") == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        #expect(page.field("code_challenge_method") == "S256")
        #expect(page.field("response_type") == "code")
        #expect(page.field("client_id") == "client-1")
        #expect(page.field("redirect_uri") == "http://127.0.0.1:5000/return")
        #expect(page.field("login_hint") == "anna@example.com")
        #expect(page.field("scope") == "urn:ietf:params:oauth:scope:mail offline_access")
        #expect(!page.absoluteString.contains("dBjft"))
        #expect(
            outcome.fields(of: "https://auth.example.com/token") == [
                "grant_type": "authorization_code", "code": "the-code", "client_id": "client-1",
                "redirect_uri": "http://127.0.0.1:5000/return",
                "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
            ]
        )
    }

    @Test func `the app registers as a public client that is on a device`() throws {
        let request = try #require(try MachineScript.complete.run().requests.first { $0.method == "POST" })
        let client = try JSON(parsing: try #require(request.body))
        #expect(client["token_endpoint_auth_method"] == "none")
        #expect(client["application_type"] == "native")
        #expect(client["redirect_uris"] == ["http://127.0.0.1:5000/return"])
        #expect(client["grant_types"] == ["authorization_code", "refresh_token"])
    }

    @Test func `a client id that the app has is used without a registration`() throws {
        var script = MachineScript.complete
        script.input.clientID = "of-the-app"
        let outcome = try script.run()
        #expect(outcome.page?.field("client_id") == "of-the-app")
        #expect(!outcome.log.contains { $0.hasSuffix("/register") })
    }

    @Test func `without a registration and a client id the error is noRegistration`() throws {
        var script = MachineScript.complete
        let metadata = "https://auth.example.com/.well-known/oauth-authorization-server"
        script.answers[metadata] = .json(
            MachineScript.metadata("https://auth.example.com", JSONObject([("registration_endpoint", .null)]))
        )
        #expect(try script.run().error?.code == .noRegistration)
        script = .complete
        script.answers["https://auth.example.com/register"] = .status(403)
        #expect(try script.run().error?.code == .noRegistration)
        script.answers["https://auth.example.com/register"] = .json(
            ["client_id": "a", "client_secret": "b", "token_endpoint_auth_method": "private_key_jwt"],
            status: 201
        )
        #expect(try script.run().error?.code == .noRegistration)
    }

    @Test(arguments: [["client_secret_basic", "private_key_jwt"], ["client_secret_post"], nil] as [[String]?])
    func `a server without public clients assigns a secret, which it gets with the code`(methods: [String]?) throws {
        var script = MachineScript.complete
        let method = methods?[0] ?? "client_secret_basic"
        script.answers["https://auth.example.com/.well-known/oauth-authorization-server"] = .json(
            MachineScript.metadata(
                "https://auth.example.com",
                JSONObject([("token_endpoint_auth_methods_supported", methods.map { JSON($0) } ?? .null)])
            )
        )
        script.answers["https://auth.example.com/register"] = .json([
            "client_id": "a:b", "client_secret": "s", "token_endpoint_auth_method": .string(method),
        ])
        let outcome = try script.run()
        let registration = try JSON(parsing: try #require(outcome.requests.dropLast().last?.body))
        #expect(registration["token_endpoint_auth_method"]?.stringValue == method)
        let isPost = method == "client_secret_post"
        #expect(outcome.fields(of: "https://auth.example.com/token")["client_secret"] == (isPost ? "s" : nil))
        #expect(outcome.requests.last?.headers["Authorization"] == (isPost ? nil : "Basic YSUzQWI6cw=="))
        #expect(outcome.grant.map { SignInGrant(storedForm: $0.storedForm) } == outcome.grant)
    }

    @Test func `OpenID discovery is asked where there is no metadata of RFC 8414`() throws {
        var script = MachineScript.complete
        let issuer = "https://auth.example.com/realm/mail"
        script.answers["https://mail.example.com/.well-known/oauth-protected-resource/jmap/session"] = .json([
            "resource": "https://mail.example.com/jmap/session", "authorization_servers": [.string(issuer)],
        ])
        script.answers["\(issuer)/.well-known/openid-configuration"] = .json(MachineScript.metadata(issuer))
        script.answers["\(issuer)/register"] = .json(["client_id": "client-2"])
        script.answers["\(issuer)/token"] = .json(["access_token": "t", "token_type": "bearer"])
        script.returns = { page in
            let query = FormData.text([("code", "c"), ("state", page.field("state")), ("iss", issuer)])
            return "http://127.0.0.1:5000/return?\(query)"
        }
        let outcome = try script.run()
        #expect(
            outcome.log.dropFirst(4).prefix(2) == [
                "GET https://auth.example.com/.well-known/oauth-authorization-server/realm/mail",
                "GET \(issuer)/.well-known/openid-configuration",
            ]
        )
        #expect(outcome.grant?.expiresAt == nil)
        #expect(outcome.grant?.refreshToken == nil)
    }

    @Test func `a server without metadata of a resource is its own authorization server`() throws {
        var script = MachineScript.complete
        script.answers["https://mail.example.com/.well-known/oauth-protected-resource/jmap/session"] = nil
        let metadata = "https://mail.example.com/.well-known/oauth-authorization-server"
        script.answers[metadata] = .json(MachineScript.metadata("https://mail.example.com"))
        #expect(
            try script.run().log.dropFirst(3).prefix(3) == [
                "GET https://mail.example.com/.well-known/oauth-protected-resource/jmap/session",
                "GET https://mail.example.com/.well-known/oauth-protected-resource", "GET \(metadata)",
            ]
        )
        script.answers[metadata] = nil
        #expect(try script.run().error?.code == .noAuthorizationServer)
    }

    @Test func `metadata that the server names in its answer are asked first`() throws {
        var script = MachineScript.complete
        let url = "https://mail.example.com/oauth/resource"
        script.answers["https://mail.example.com/jmap/session"] = .status(
            401,
            ["www-authenticate": #"Basic realm="mail", Bearer error="x", resource_metadata="\#(url)""#]
        )
        script.answers[url] = .json([
            "resource": "https://mail.example.com/jmap/session", "authorization_servers": ["https://auth.example.com"],
        ])
        let outcome = try script.run()
        #expect(outcome.grant != nil)
        #expect(outcome.log[3] == "GET \(url)")
        script.answers[url] = nil
        #expect(try script.run().error?.code == .noAuthorizationServer)
    }

    @Test func `only scopes that the server supports are requested`() throws {
        var script = MachineScript.complete
        script.answers["https://auth.example.com/.well-known/oauth-authorization-server"] = .json(
            MachineScript.metadata(
                "https://auth.example.com",
                JSONObject([("scopes_supported", ["openid", "offline_access"])])
            )
        )
        #expect(try script.run().page?.field("scope") == "offline_access")
    }

    @Test(arguments: [
        ("access_denied", SignInError.Code.denied), ("invalid_scope", .refused), ("server_error", .serverError),
        ("Pay%20here%3A%20evil.example", .refused),
    ])
    func `each refusal in the browser has a failure of its own`(name: String, code: SignInError.Code) throws {
        var script = MachineScript.complete
        script.returns = { page in
            "http://127.0.0.1:5000/return?error=\(name)&error_description=Secret&state=\(page.field("state"))"
                + "&iss=https%3A%2F%2Fauth.example.com"
        }
        let error = try script.run().error
        #expect(error?.code == code)
        #expect(error?.description.contains("Secret") == false)
        #expect(error?.description.contains("evil") == false)
    }

    @Test func `a browser that returns too late, or an expired code, is the error expired`() throws {
        var script = MachineScript.complete
        script.returns = { _ in nil }
        #expect(try script.run().error?.code == .expired)
        script = .complete
        script.answers["https://auth.example.com/token"] = .json(["error": "invalid_grant"], status: 400)
        #expect(try script.run().error?.code == .expired)
    }

    @Test(
        arguments: [
            ["access_token": "a\nb", "token_type": "Bearer"], ["access_token": "", "token_type": "Bearer"],
            ["access_token": "a", "token_type": "mac"], ["access_token": "a"], ["token_type": "Bearer"], [], nil,
        ] as [JSON?]
    )
    func `tokens that can't be sent aren't accepted`(body: JSON?) throws {
        var script = MachineScript.complete
        script.answers["https://auth.example.com/token"] = .response(status: 200, headers: [:], body: body)
        #expect(try script.run().error?.code == .invalidAnswer)
    }
}
