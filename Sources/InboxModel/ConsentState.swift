package import Groundwork

/// A device's statement of tracking consent for all categories of messages, which accompanies a write.
///
/// As JSON: `{"categories": {"news": true}, "otherwise": false, "granted": true}`.
package struct ConsentState: Hashable, Sendable {
    /// Whether consent is given, by category.
    package var categories: [String: Bool]
    /// Whether consent is given in categories that aren't listed.
    package var otherwise: Bool
    /// Whether consent is given for messages whose sender states that the person agreed
    /// (`Message.grantedConsentCategory`).
    package var granted: Bool

    package init(categories: [String: Bool] = [:], otherwise: Bool = false, granted: Bool = true) {
        self.categories = categories
        self.otherwise = otherwise
        self.granted = granted
    }

    /// Creates a device's statement about one message. Nil, a client that states nothing, means no consent of its own
    /// and leaves the sender's statement valid.
    package init(holds: Bool?) {
        self.init(otherwise: holds ?? false, granted: holds ?? true)
    }

    /// Whether consent is given for every message.
    package var isUnlimited: Bool { otherwise && granted && categories.values.allSatisfy { $0 } }

    /// Whether events of a message with these categories may be reported. A message without a category needs no
    /// consent.
    package func allows(consentCategory: String?, grantedConsentCategory: String?) -> Bool {
        if let consentCategory { return categories[consentCategory] ?? otherwise }
        guard let grantedConsentCategory else { return true }
        return categories[grantedConsentCategory] ?? granted
    }
}

extension ConsentState {
    private enum Member: String, CaseIterable { case categories, otherwise, granted }

    /// Validates a device's statement strictly. Missing members have the meaning of a client that states nothing.
    ///
    /// - Throws: ``JSONValueError`` for the first invalid part.
    package init(checking reader: JSONReader) throws(JSONValueError) {
        try reader.only(Set(Member.allCases.map(\.rawValue)))
        self.init(
            otherwise: try reader.member(Member.otherwise.rawValue)?.bool() ?? false,
            granted: try reader.member(Member.granted.rawValue)?.bool() ?? true
        )
        guard let categories = reader.member(Member.categories.rawValue) else { return }
        for member in try categories.object().members {
            self.categories[member.name] = try categories.required(member.name).bool()
        }
    }

    package var json: JSON {
        let categories = categories.sorted { $0.key < $1.key }.map { ($0.key, JSON.bool($0.value)) }
        return [
            Member.categories.rawValue: .object(JSONObject(categories)), Member.otherwise.rawValue: .bool(otherwise),
            Member.granted.rawValue: .bool(granted),
        ]
    }
}
