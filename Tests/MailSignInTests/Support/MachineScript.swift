import Foundation
import Groundwork
import Testing

@testable import MailSignIn

/// A world for the machine of a sign-in: what DNS, servers, the person and the browser answer.
struct MachineScript {
    enum Answer {
        case response(status: Int, headers: [String: String], body: JSON?)
        case failure(TransportError)

        static func json(_ body: JSON, status: Int = 200) -> Answer {
            .response(status: status, headers: [:], body: body)
        }

        static func status(_ status: Int, _ headers: [String: String] = [:]) -> Answer {
            .response(status: status, headers: headers, body: nil)
        }

        static func redirect(_ target: String) -> Answer { .status(302, ["location": target]) }
    }

    var input = SignInMachine.Input(
        address: "anna@example.com",
        scopes: ["urn:ietf:params:oauth:scope:mail", "offline_access"],
        redirectURI: URL(string: "http://127.0.0.1:5000/return")!,
        state: "the-state",
        verifier: "the-verifier-of-the-request-with-43-characters"
    )
    /// The records of each service; nil if no DNS server answers.
    var records: [String: [ServiceRecord]]? = [
        "_jmap._tcp": [ServiceRecord(host: "mail.example.com", port: 443)]
    ]
    /// The answers by URL. Others are 404.
    var answers: [String: Answer] = [:]
    var confirms = true
    /// The URL with which the browser returns; nil if it doesn't.
    var returns: (URL) -> String? = { page in
        "http://127.0.0.1:5000/return?code=the-code&state=\(page.field("state"))&iss=https%3A%2F%2Fauth.example.com"
    }
    let now = Date(timeIntervalSince1970: 1_777_593_600)

    /// A mail server whose authorization server is on another host, with all metadata.
    static var complete: MachineScript {
        var script = MachineScript()
        let mail = "https://mail.example.com/.well-known"
        script.answers = [
            "\(mail)/jmap": .redirect("/jmap/session"),
            "https://mail.example.com/jmap/session": .status(401, ["www-authenticate": "Bearer"]),
            "\(mail)/oauth-protected-resource/jmap/session": .json([
                "resource": "https://mail.example.com/jmap/session",
                "authorization_servers": ["https://auth.example.com"],
            ]),
            "https://auth.example.com/.well-known/oauth-authorization-server": .json(metadata()),
            "https://auth.example.com/register": .json(["client_id": "client-1"], status: 201),
            "https://auth.example.com/token": .json([
                "access_token": "access-1", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "refresh-1",
            ]),
        ]
        return script
    }

    static func metadata(_ issuer: String = "https://auth.example.com", _ changes: JSONObject = JSONObject()) -> JSON {
        var object = JSONObject([
            ("issuer", .string(issuer)), ("authorization_endpoint", .string("\(issuer)/authorize")),
            ("token_endpoint", .string("\(issuer)/token")), ("registration_endpoint", .string("\(issuer)/register")),
            ("revocation_endpoint", .string("\(issuer)/revoke")), ("response_types_supported", ["code"]),
            ("token_endpoint_auth_methods_supported", ["none"]),
            ("code_challenge_methods_supported", ["S256"]), ("authorization_response_iss_parameter_supported", true),
        ])
        for (name, value) in changes.members { object[name] = value }
        return .object(object)
    }

    struct Outcome {
        let grant: SignInGrant?
        let error: SignInError?
        /// The effects, such as `GET https://…`.
        let log: [String]
        let requests: [TransportRequest]
        let page: URL?
        let machine: SignInMachine

        func fields(of url: String) -> [String: String] {
            let body = requests.last { $0.url.absoluteString == url }?.body ?? []
            return FormData.fields(String(decoding: body, as: UTF8.self)) ?? [:]
        }
    }

    func run() throws -> Outcome {
        var machine = try SignInMachine(input)
        var (log, requests, page) = ([String](), [TransportRequest](), URL?.none)
        var effect = machine.start()
        while true {
            let event: SignInMachine.Event
            switch effect {
            case .lookUp(let service):
                log.append("SRV \(service)")
                event = records.map { .records($0[service] ?? []) } ?? .noDNS
            case .confirm(let host):
                log.append("confirm \(host)")
                event = .confirmed(confirms)
            case .send(let request), .exchange(let request):
                log.append("\(request.method) \(request.url.absoluteString)")
                requests.append(request)
                switch answers[request.url.absoluteString] ?? .status(404) {
                case .failure(let error): event = .failure(error)
                case .response(let status, let headers, let body):
                    let response = TransportResponse(
                        status: status,
                        headers: headers,
                        body: body?.utf8 ?? Array("<html>".utf8),
                        url: request.url
                    )
                    if case .exchange = effect {
                        event = .tokens(response, at: now)
                    } else {
                        event = .response(response)
                    }
                }
            case .browse(let url):
                log.append("browse \(url.host() ?? "")")
                page = url
                event = returns(url).map { .returned(URL(string: $0)!) } ?? .overdue
            case .finish(let result):
                var (grant, error) = (SignInGrant?.none, SignInError?.none)
                switch result {
                case .success(let success): grant = success
                case .failure(let failure): error = failure
                }
                return Outcome(
                    grant: grant,
                    error: error,
                    log: log,
                    requests: requests,
                    page: page,
                    machine: machine
                )
            }
            let next = machine.handle(event)
            effect = try #require(next)
        }
    }
}

extension URL {
    /// A field of the query, unescaped.
    func field(_ name: String) -> String {
        FormData.fields(URLComponents(url: self, resolvingAgainstBaseURL: true)?.percentEncodedQuery ?? "")?[name] ?? ""
    }
}
