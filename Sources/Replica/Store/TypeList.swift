/// The types of a store, with what each read and write needs of them. Finding that each time would copy every type.
struct TypeList: Sendable {
    let all: [RecordType]
    /// The types whose phase depends on the time.
    let due: [RecordType]
    /// The types with counts.
    let counted: [RecordType]
    /// The SQL that reads the index of the first type, from `:start` on, that has to be derived; null for none. Nil if
    /// no type is derived.
    let firstToDerive: String?

    init(_ types: [RecordType]) {
        all = types
        due = types.filter { $0.due != nil }
        counted = types.filter { $0.counts != nil }
        let cases = types.enumerated().filter { $1.derive != nil }.map { index, type in
            "WHEN :start <= \(index) AND (\(type.hasChangedSources)) THEN \(index)"
        }
        firstToDerive = cases.isEmpty ? nil : "SELECT CASE \(cases.joined(separator: " ")) END"
    }
}
