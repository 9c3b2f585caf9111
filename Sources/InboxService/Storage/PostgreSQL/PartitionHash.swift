#if PostgreSQL
    /// The hash by which PostgreSQL divides the rows of a table among its partitions.
    ///
    /// It is part of PostgreSQL's storage format: partitions that were made by one version are read by the next.
    enum PartitionHash {
        /// Returns the number of the partition of a row whose key is a `bigint`.
        static func partition(of key: Int) -> Int {
            // `hashint8extended` (src/backend/access/hash/hashfunc.c). Numbers of 32 bits have the hash of an
            // `integer`, of 4 bytes.
            let bits = UInt64(bitPattern: Int64(key))
            let (low, high) = (UInt32(truncatingIfNeeded: bits), UInt32(truncatingIfNeeded: bits >> 32))
            var mix = Lookup3(length: 4, seed: seed)
            mix.a &+= low ^ (key >= 0 ? high : ~high)
            mix.finish()
            return partition(ofHash: mix.result)
        }

        /// Returns the number of the partition of a row whose key is a `text` with the collation "C".
        static func partition(of key: String) -> Int {
            // `hashtextextended` (src/backend/access/hash/hashfunc.c): that of the bytes.
            var key = key
            return key.withUTF8 { bytes in
                var mix = Lookup3(length: bytes.count, seed: seed)
                mix.add(bytes)
                return partition(ofHash: mix.result)
            }
        }

        /// `HASH_PARTITION_SEED` (src/include/catalog/partition.h).
        private static let seed: UInt64 = 0x7A5B_2236_7996_DCFD

        private static func partition(ofHash hash: UInt64) -> Int {
            // `compute_partition_hash_value` (src/backend/partitioning/partbounds.c): the hash of each column,
            // combined. This is `hash_combine64` (src/include/common/hashfn.h) with 0, for one column.
            Int((hash &+ 0x49A0_F4DD_15E5_A8E3) % UInt64(PostgresSchema.partitions))
        }
    }

    /// lookup3, which is in the public domain (Bob Jenkins, burtleburtle.net/bob/c/lookup3.c, 2006), as
    /// `hash_bytes_extended` (src/common/hashfn.c) has it on a processor whose lowest byte comes first.
    private struct Lookup3 {
        var a, b, c: UInt32

        /// - Parameter length: The length of what is added, in bytes.
        init(length: Int, seed: UInt64) {
            let start = 0x9E37_79B9 &+ UInt32(truncatingIfNeeded: length) &+ 3_923_095
            (a, b, c) = (start &+ UInt32(seed >> 32), start &+ UInt32(truncatingIfNeeded: seed), start)
            mix()
        }

        /// The hash, once all is added.
        var result: UInt64 { UInt64(b) << 32 | UInt64(c) }

        /// Adds bytes to the state, and finishes.
        mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
            /// Four bytes, the lowest first. Those beyond the end are 0.
            func word(at index: Int) -> UInt32 {
                (0..<4).reduce(0) { word, byte in
                    let place = index + byte
                    return word | (place < bytes.count ? UInt32(bytes[place]) << UInt32(8 * byte) : 0)
                }
            }
            var index = 0
            while bytes.count - index >= 12 {
                (a, b, c) = (a &+ word(at: index), b &+ word(at: index + 4), c &+ word(at: index + 8))
                mix()
                index += 12
            }
            // The lowest byte of `c` is that of the length.
            (a, b, c) = (a &+ word(at: index), b &+ word(at: index + 4), c &+ word(at: index + 8) << 8)
            finish()
        }

        private static func rotated(_ value: UInt32, by bits: UInt32) -> UInt32 {
            value << bits | value >> (32 - bits)
        }

        /// `mix`: each bit of the state affects all of it, and can be taken back.
        private mutating func mix() {
            (a, c) = ((a &- c) ^ Self.rotated(c, by: 4), c &+ b)
            (b, a) = ((b &- a) ^ Self.rotated(a, by: 6), a &+ c)
            (c, b) = ((c &- b) ^ Self.rotated(b, by: 8), b &+ a)
            (a, c) = ((a &- c) ^ Self.rotated(c, by: 16), c &+ b)
            (b, a) = ((b &- a) ^ Self.rotated(a, by: 19), a &+ c)
            (c, b) = ((c &- b) ^ Self.rotated(b, by: 4), b &+ a)
        }

        /// `final`: each bit of the state affects `b` and `c`.
        mutating func finish() {
            c = (c ^ b) &- Self.rotated(b, by: 14)
            a = (a ^ c) &- Self.rotated(c, by: 11)
            b = (b ^ a) &- Self.rotated(a, by: 25)
            c = (c ^ b) &- Self.rotated(b, by: 16)
            a = (a ^ c) &- Self.rotated(c, by: 4)
            b = (b ^ a) &- Self.rotated(a, by: 14)
            c = (c ^ b) &- Self.rotated(b, by: 24)
        }
    }
#endif
