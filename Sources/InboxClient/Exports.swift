// What the facade's own declarations speak of: `import InboxClient` is enough to use them.
@_exported public import InboxModel
@_exported public import enum Replica.ConnectionState
@_exported public import protocol Groundwork.Transport
@_exported public import protocol Groundwork.WallClock
@_exported public import struct Groundwork.RandomSource
@_exported public import struct Groundwork.SystemClock
@_exported public import enum Groundwork.TransportError
@_exported public import struct Groundwork.TransportRequest
@_exported public import struct Groundwork.TransportResponse
@_exported public import struct Groundwork.TransportStream
