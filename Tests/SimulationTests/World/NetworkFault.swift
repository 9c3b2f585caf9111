import Groundwork
import InboxModel
import JMAP

/// What can become of a request and its answer.
enum NetworkFault: Sendable {
    case nothing
    // Before the server.
    case lost, delayed, duplicated, refused, unauthorized, writesUnanswered, writesTooLarge, writesRefused,
        requestTooLarge,
        unknownState
    // After it.
    case answerLost, answerCut, answerGarbled, answerTooLarge, badGateway, newSession

    static func random(_ dice: inout Dice) -> NetworkFault {
        dice.pick([
            .lost: 4, .delayed: 4, .duplicated: 4, .refused: 2, .unauthorized: 2, .writesUnanswered: 4,
            .writesTooLarge: 2, .writesRefused: 2, .requestTooLarge: 1, .unknownState: 3, .answerLost: 10,
            .answerCut: 3,
            .answerGarbled: 2, .answerTooLarge: 3, .badGateway: 2, .newSession: 2,
        ])
    }
}

/// Changes that a fault makes to requests and answers.
enum Tampering {
    private static let type = MessageCapability.messageType

    /// The request without its writes.
    static func withoutWrites(_ request: JSON) -> JSON {
        changing(request, "methodCalls") { calls in calls.filter { $0.arrayValue?[0] != .string("\(type)/set") } }
    }

    /// The answer with an error in place of what became of the writes.
    static func refusingWrites(_ response: JSON, _ error: String) -> JSON {
        changing(response, "methodResponses") { [["error", ["type": .string(error)], "set"]] + $0 }
    }

    /// The request with a state that no server ever gave.
    static func withUnknownState(_ request: JSON) -> JSON {
        changing(request, "methodCalls") { calls in
            calls.map { call in
                guard var parts = call.arrayValue, parts[0] == .string("\(type)/changes"),
                    var arguments = parts[1].objectValue
                else { return call }
                arguments["sinceState"] = "of-no-server"
                parts[1] = .object(arguments)
                return .array(parts)
            }
        }
    }

    /// The answer with an error in place of its records, as though they were too many bytes.
    static func withTooManyRecords(_ response: JSON) -> JSON {
        changing(response, "methodResponses") { answers in
            answers.map { answer in
                guard let parts = answer.arrayValue, parts[0] == .string("\(type)/get"), parts[2] != "state" else {
                    return answer
                }
                return ["error", ["type": "requestTooLarge"], parts[2]]
            }
        }
    }

    static func withNewSession(_ response: JSON) -> JSON {
        guard var object = response.objectValue, object["sessionState"] != nil else { return response }
        object["sessionState"] = "another"
        return .object(object)
    }

    private static func changing(_ json: JSON, _ name: String, _ change: ([JSON]) -> [JSON]) -> JSON {
        guard var object = json.objectValue, let elements = object[name]?.arrayValue else { return json }
        object[name] = .array(change(elements))
        return .object(object)
    }
}
