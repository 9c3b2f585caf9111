import Groundwork
import JMAP

/// The responses that the result references of one request have reached so far (RFC 8620, section 3.7).
///
/// A reference of a few bytes may copy a whole response into the next call. The limits bound the memory and the time of
/// a request; a client that fetches the messages it shows stays far below them.
struct ReferencedResponses: Sendable {
    /// The number of references of one request.
    static let maxCount = 128
    /// The number of bytes of responses that they reach, beyond which no further one is followed.
    static let maxSize = 16 * 1_048_576
    /// The number of JSON values in the responses, and of those in the values that are taken from them.
    static let maxValues = 2 * JMAP.Request.valueLimit

    private var count = 0
    private var size = 0
    private var parsedValues = 0
    private var values = 0
    /// By call id. Each response is parsed once.
    private var parsed: [String: JSON] = [:]

    /// Returns the arguments of a call, with result references resolved.
    ///
    /// - Parameter response: Returns the arguments of the first response with the call id of a reference, if it has its
    ///   name.
    /// - Throws: `MethodError`: `requestTooLarge` beyond a limit, or the errors of invalid references.
    mutating func resolve(
        _ arguments: JSONObject,
        in response: (ResultReference) -> [UInt8]?
    ) throws(MethodError) -> JSONObject {
        var excess: String?
        do {
            return try arguments.resolvingReferences { reference in
                guard excess == nil, let bytes = response(reference) else { return nil }
                excess = follow(bytes.count)
                guard excess == nil, let json = json(bytes, of: reference.resultOf, &excess) else { return nil }
                values += reference.value(in: json)?.valueCount(upTo: Self.maxValues) ?? 0
                if values > Self.maxValues { excess = "take more than \(Self.maxValues) values" }
                return excess == nil ? json : nil
            }
        } catch {
            throw excess.map { .requestTooLarge("The request's result references \($0).") } ?? error
        }
    }

    /// Counts a reference to a response of a size.
    ///
    /// - Returns: The limit that is exceeded, or nil.
    private mutating func follow(_ bytes: Int) -> String? {
        guard count < Self.maxCount else { return "are more than \(Self.maxCount)" }
        guard size <= Self.maxSize else { return "reach more than \(Self.maxSize) bytes" }
        count += 1
        size += bytes
        return nil
    }

    private mutating func json(_ bytes: [UInt8], of callID: String, _ excess: inout String?) -> JSON? {
        if let known = parsed[callID] { return known }
        let left = Self.maxValues - parsedValues
        // A response with more values is large because of its own references.
        guard let json = try? JSON(parsing: bytes, valueLimit: left) else {
            excess = "reach more than \(Self.maxValues) values"
            return nil
        }
        parsedValues += json.valueCount(upTo: left)
        parsed[callID] = json
        return json
    }
}

extension JSON {
    /// The number of values in it, with itself. Counting stops beyond a limit.
    fileprivate func valueCount(upTo limit: Int) -> Int {
        var count = 1
        func add(_ value: JSON) { if count <= limit { count += value.valueCount(upTo: limit - count) } }
        switch self {
        case .array(let elements): for element in elements where count <= limit { add(element) }
        case .object(let object): for member in object.members where count <= limit { add(member.value) }
        default: break
        }
        return count
    }
}
