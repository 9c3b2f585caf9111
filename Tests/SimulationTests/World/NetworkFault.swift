import Groundwork
import InboxModel
import JMAP

/// A fault of a request or its answer.
enum NetworkFault: Sendable {
    case nothing
    // Before the server receives the request.
    case lost, delayed, duplicated, refused, unauthorized, writesUnanswered, writesTooLarge, writesRefused,
        requestTooLarge,
        unknownState
    // After the server has answered.
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

/// Changes of requests and answers by faults.
enum Tampering {
    private static let type = MessageCapability.messageType

    /// Returns the request without its writes.
    static func withoutWrites(_ request: JSON) -> JSON {
        changing(request, "methodCalls") { calls in calls.filter { $0.arrayValue?[0] != .string("\(type)/set") } }
    }

    /// Returns the answer with an error in place of the writes' results.
    static func refusingWrites(_ response: JSON, _ error: String) -> JSON {
        changing(response, "methodResponses") { [["error", ["type": .string(error)], "set"]] + $0 }
    }

    /// Returns the request with an unknown state.
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

    /// Returns the answer with an error in place of its records, as if they were too large.
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
