package import Groundwork

/// A reference to a result of an earlier call in the same request (RFC 8620, section 3.7).
package struct ResultReference: Hashable, Sendable {
    /// The call id of the earlier call.
    package let resultOf: String
    /// The required name of the earlier call's response.
    package let name: String
    /// A JSON pointer into the response's arguments, in which `*` means every element of an array.
    package let path: String

    package init(resultOf: String, name: String, path: String) {
        self.resultOf = resultOf
        self.name = name
        self.path = path
    }

    package init(reading reader: JSONReader) throws(JSONValueError) {
        resultOf = try reader.required("resultOf").string()
        name = try reader.required("name").string()
        path = try reader.required("path").string()
    }

    package var json: JSON { ["resultOf": .string(resultOf), "name": .string(name), "path": .string(path)] }

    /// Returns the value that the path refers to in a response's arguments, or nil if there is none.
    package func value(in arguments: JSON) -> JSON? {
        JSONPointer(parsing: path).flatMap { Self.resolve($0.tokens[...], in: arguments) }
    }

    private static func resolve(_ tokens: ArraySlice<String>, in value: JSON) -> JSON? {
        guard let token = tokens.first else { return value }
        let rest = tokens.dropFirst()
        switch value {
        case .object(let object):
            return object[token].flatMap { resolve(rest, in: $0) }
        case .array(let elements) where token == "*":
            var found: [JSON] = []
            for element in elements {
                guard let value = resolve(rest, in: element) else { return nil }
                // A `*` yields one list: arrays below it are concatenated.
                if case .array(let inner) = value { found += inner } else { found.append(value) }
            }
            return .array(found)
        case .array(let elements):
            // RFC 6901, section 4: digits without a leading zero.
            guard token == "0" || (token.first != "0" && token.utf8.allSatisfy { (48...57).contains($0) }),
                let index = Int(token), elements.indices.contains(index)
            else { return nil }
            return resolve(rest, in: elements[index])
        default:
            return nil
        }
    }
}

extension JSONObject {
    /// Returns the arguments, with each `#name` replaced by the value that it refers to.
    ///
    /// - Parameter answer: Returns the arguments of the first response with the given call id and name, or nil if there
    ///   is none.
    /// - Throws: ``MethodError``: `invalidResultReference`, or `invalidArguments` if an argument is given both as a
    ///   value and as a reference.
    package func resolvingReferences(
        _ answer: (_ reference: ResultReference) -> JSON?
    ) throws(MethodError) -> JSONObject {
        guard members.contains(where: { $0.name.hasPrefix("#") }) else { return self }
        var resolved = JSONObject()
        for member in members {
            guard member.name.hasPrefix("#") else {
                guard resolved.add(member.name, member.value) else {
                    throw .invalidArguments("\(member.name) is both a value and a reference")
                }
                continue
            }
            let name = String(member.name.dropFirst())
            let reference: ResultReference
            do {
                reference = try ResultReference(reading: JSONReader(member.value, at: JSONPointer([member.name])))
            } catch {
                throw .invalidResultReference(error.description)
            }
            guard let arguments = answer(reference) else {
                throw .invalidResultReference("\(member.name): no earlier call has that id and name")
            }
            guard let value = reference.value(in: arguments) else {
                throw .invalidResultReference("\(member.name): the path matches nothing")
            }
            guard resolved.add(name, value) else {
                throw .invalidArguments("\(name) is both a value and a reference")
            }
        }
        return resolved
    }
}
