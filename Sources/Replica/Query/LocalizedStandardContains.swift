#if !canImport(Darwin)
    public import Foundation

    // Foundation has this expression of `#Predicate` only on Apple's platforms. On other platforms, the macro uses this
    // one.
    extension PredicateExpressions {
        /// An expression that tests whether a string contains another one, ignoring case, accents and width:
        /// `localizedStandardContains`.
        public struct StringLocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>:
            PredicateExpression
        where Root.Output: StringProtocol, Other.Output: StringProtocol {
            /// The type of the result.
            public typealias Output = Bool

            /// The string to search.
            public let root: Root
            /// The string to search for.
            public let other: Other

            init(root: Root, other: Other) {
                self.root = root
                self.other = other
            }

            /// Returns whether the string contains the other one.
            ///
            /// - Parameter bindings: The values of the predicate's variables.
            /// - Throws: The errors of the operands.
            public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
                let text = String(try root.evaluate(bindings))
                let part = String(try other.evaluate(bindings))
                return QueryExpression<Never>.TextMatch.localizedStandardContains.holds(text, part)
            }
        }

        /// Creates the expression. `#Predicate` calls it for `localizedStandardContains`.
        public static func build_localizedStandardContains<Root, Other>(
            _ root: Root,
            _ other: Other
        ) -> StringLocalizedStandardContains<Root, Other> {
            StringLocalizedStandardContains(root: root, other: other)
        }
    }

    extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
    where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

    extension PredicateExpressions.StringLocalizedStandardContains: Sendable where Root: Sendable, Other: Sendable {}

    extension PredicateExpressions.StringLocalizedStandardContains: Codable where Root: Codable, Other: Codable {
        private enum CodingKeys: String, CodingKey {
            case root, other
        }
    }
#endif
