import Groundwork

extension JSON {
    /// What a merge patch makes of this value (RFC 7396 §2): members of objects are replaced one by one and removed by
    /// null, anything else is replaced whole, an array too.
    func merging(_ patch: JSON) -> JSON {
        guard let members = patch.objectValue?.members else { return patch }
        var object = objectValue ?? JSONObject()
        for (name, value) in members {
            object[name] = value == .null ? nil : (object[name] ?? .null).merging(value)
        }
        return .object(object)
    }
}
