#if canImport(Security)
    import Foundation
    import Security

    /// Stores grants in the keychain of Apple's systems, on this device only.
    ///
    /// They can be read after the device was unlocked once since its start, so that mail can be fetched in the
    /// background. An app and its extensions share them with an access group.
    public struct KeychainGrantStorage: GrantStorage {
        private let service: String
        private let accessGroup: String?

        /// Creates a storage.
        ///
        /// - Parameters:
        ///   - service: The name under which the app's grants are stored.
        ///   - accessGroup: The keychain's access group; nil for the app's own.
        public init(service: String = "swift-inbox.mail", accessGroup: String? = nil) {
            (self.service, self.accessGroup) = (service, accessGroup)
        }

        /// The items of an account; nil for those of all.
        private func query(_ account: String?) -> [CFString: Any] {
            var query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecUseDataProtectionKeychain: true,
            ]
            if let account { query[kSecAttrAccount] = account }
            if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
            return query
        }

        /// Returns the addresses of the accounts that have a grant, sorted.
        ///
        /// - Throws: ``SignInError`` with the code `storage`.
        public func addresses() async throws -> [String] {
            var query = query(nil)
            query[kSecReturnAttributes] = true
            query[kSecMatchLimit] = kSecMatchLimitAll
            var items: CFTypeRef?
            switch SecItemCopyMatching(query as CFDictionary, &items) {
            case errSecItemNotFound: return []
            case errSecSuccess:
                let found = items as? [[CFString: Any]] ?? []
                return found.compactMap { $0[kSecAttrAccount] as? String }.sorted()
            case let status: throw Self.failure(status)
            }
        }

        /// Returns the grant of an account; nil if there is none.
        ///
        /// - Throws: ``SignInError`` with the code `storage`.
        public func grant(of account: String) async throws -> SignInGrant? {
            var query = query(account)
            query[kSecReturnData] = true
            query[kSecMatchLimit] = kSecMatchLimitOne
            var item: CFTypeRef?
            switch SecItemCopyMatching(query as CFDictionary, &item) {
            case errSecItemNotFound: return nil
            case errSecSuccess:
                guard let data = item as? Data, let grant = SignInGrant(storedForm: Array(data)) else {
                    throw SignInError(.storage, "The keychain's item isn't a sign-in. Sign in again.")
                }
                return grant
            case let status: throw Self.failure(status)
            }
        }

        /// Stores the grant of an account durably, or removes it.
        ///
        /// - Throws: ``SignInError`` with the code `storage`; the earlier grant is then still stored.
        public func store(_ grant: SignInGrant?, of account: String) async throws {
            let query = query(account)
            guard let grant else {
                let status = SecItemDelete(query as CFDictionary)
                guard status == errSecSuccess || status == errSecItemNotFound else { throw Self.failure(status) }
                return
            }
            let values: [CFString: Any] = [
                kSecValueData: Data(grant.storedForm),
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            var status = SecItemUpdate(query as CFDictionary, values as CFDictionary)
            if status == errSecItemNotFound {
                status = SecItemAdd(query.merging(values) { $1 } as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw Self.failure(status) }
        }

        private static func failure(_ status: OSStatus) -> SignInError {
            SignInError(.storage, "The keychain can't be used (\(status)).")
        }
    }
#endif
