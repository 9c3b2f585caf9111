#if !canImport(Darwin)
    public import Foundation

    // Foundation has this part of `#Predicate` on Apple's systems only; elsewhere the macro finds it here.
    extension PredicateExpressions {
        /// Whether a text has another in it, without regard to case, accents and width: `localizedStandardContains`.
        public struct StringLocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>:
            PredicateExpression
        where Root.Output: StringProtocol, Other.Output: StringProtocol {
            /// Whether it has.
            public typealias Output = Bool

            /// The text.
            public let root: Root
            /// What is looked for in it.
            public let other: Other

            init(root: Root, other: Other) {
                self.root = root
                self.other = other
            }

            /// Looks, with the bindings of a predicate that is evaluated.
            ///
            /// - Throws: What the parts throw.
            public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
                let text = String(try root.evaluate(bindings))
                let part = String(try other.evaluate(bindings))
                return QueryExpression<Never>.TextMatch.localizedStandardContains.holds(text, part)
            }
        }

        /// Called by `#Predicate` for `localizedStandardContains`.
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
