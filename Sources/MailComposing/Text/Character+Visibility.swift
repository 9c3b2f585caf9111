extension Character {
    /// Whether the character is visible by itself: none of its scalars is a space, a combining mark, a control or
    /// unassigned.
    package var isVisible: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
                .spaceSeparator, .nonspacingMark, .enclosingMark, .spacingMark:
                false
            default: true
            }
        }
    }
}
