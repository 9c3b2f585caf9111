package import Groundwork

/// Whether consent to tracking holds, in all categories of messages: what a device says beside what a person does.
///
/// As JSON: `{"categories": {"news": true}, "otherwise": false, "granted": true}`.
package struct ConsentStand: Hashable, Sendable {
    /// Whether it holds, by category.
    package var categories: [String: Bool]
    /// Whether it holds in the categories that aren't listed.
    package var otherwise: Bool
    /// The same for messages of which the sender says that the person agreed (`Message.grantedConsentCategory`).
    package var granted: Bool

    package init(categories: [String: Bool] = [:], otherwise: Bool = false, granted: Bool = true) {
        self.categories = categories
        self.otherwise = otherwise
        self.granted = granted
    }

    /// What a device says of one message. A client that says nothing counts as one without consent, and leaves the
    /// sender's word alone.
    package init(holds: Bool?) {
        self.init(otherwise: holds ?? false, granted: holds ?? true)
    }

    /// Whether it holds whatever a message asks for.
    package var isUnlimited: Bool { otherwise && granted && categories.values.allSatisfy { $0 } }

    /// Whether what is done with a message may be told. One that names no category needs no consent.
    package func allows(consentCategory: String?, grantedConsentCategory: String?) -> Bool {
        if let consentCategory { return categories[consentCategory] ?? otherwise }
        guard let grantedConsentCategory else { return true }
        return categories[grantedConsentCategory] ?? granted
    }
}

extension ConsentStand {
    private enum Member: String, CaseIterable { case categories, otherwise, granted }

    /// Checks what a device sends, strictly. What is left out is as with a client that says nothing.
    ///
    /// - Throws: ``JSONValueError`` for the first part that isn't right.
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
