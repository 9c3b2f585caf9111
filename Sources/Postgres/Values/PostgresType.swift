/// The object id of a built-in type (PostgreSQL, `pg_type.dat`).
package struct PostgresType: Hashable, Sendable {
    package let id: UInt32

    package static let bool = PostgresType(id: 16)
    package static let bytea = PostgresType(id: 17)
    package static let name = PostgresType(id: 19)
    package static let int8 = PostgresType(id: 20)
    package static let int2 = PostgresType(id: 21)
    package static let int4 = PostgresType(id: 23)
    package static let text = PostgresType(id: 25)
    package static let oid = PostgresType(id: 26)
    package static let json = PostgresType(id: 114)
    package static let float4 = PostgresType(id: 700)
    package static let float8 = PostgresType(id: 701)
    package static let unknown = PostgresType(id: 705)
    package static let bpchar = PostgresType(id: 1042)
    package static let varchar = PostgresType(id: 1043)
    package static let boolArray = PostgresType(id: 1000)
    package static let byteaArray = PostgresType(id: 1001)
    package static let textArray = PostgresType(id: 1009)
    package static let int8Array = PostgresType(id: 1016)
    package static let float8Array = PostgresType(id: 1022)
}
