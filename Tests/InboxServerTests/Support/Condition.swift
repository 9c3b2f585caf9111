import Groundwork

/// Returns a condition of a filter.
func condition(_ property: String, _ op: String, _ value: JSON) -> JSON {
    ["property": .string(property), "op": .string(op), "value": value]
}

/// Returns conditions combined by an operator.
func filter(_ name: String, _ conditions: JSON...) -> JSON {
    ["operator": .string(name), "conditions": .array(conditions)]
}
