// What `import InboxClient` shows besides this module's own declarations: the model, and the types of the floors below
// that its public declarations name, one by one.

@_exported public import InboxModel

// The dependencies that an app can replace (``InboxConfiguration``).
@_exported public import struct Groundwork.RandomSource
@_exported public import struct Groundwork.SystemClock
@_exported public import protocol Groundwork.Transport
@_exported public import enum Groundwork.TransportError
@_exported public import struct Groundwork.TransportRequest
@_exported public import struct Groundwork.TransportResponse
@_exported public import struct Groundwork.TransportStream
@_exported public import protocol Groundwork.WallClock

// A message's HTML (``Inbox/html(of:medium:fetchesPictures:)``).
@_exported public import struct HTMLCleaning.CleanHTML
@_exported public import struct HTMLCleaning.HTMLAction
@_exported public import struct HTMLCleaning.HTMLActions
@_exported public import struct HTMLCleaning.HTMLColor
@_exported public import struct HTMLCleaning.HTMLDocument
@_exported public import struct HTMLCleaning.HTMLLink
@_exported public import struct HTMLCleaning.HTMLMedium
@_exported public import struct HTMLCleaning.HTMLPicture

// The state of the connection.
@_exported public import enum Replica.ConnectionState
@_exported public import struct Replica.OfflineReason
@_exported public import struct Replica.TokenRefusal

// Queries, live lists and objects, and errors. `#Predicate` needs Replica's extension of Foundation's expressions.
@_exported public import struct Replica.ListChanges
@_exported public import class Replica.LiveObject
@_exported public import class Replica.LiveResults
@_exported public import protocol Replica.LiveResultsDelegate
@_exported public import struct Replica.Query
@_exported public import struct Replica.QueryError
@_exported public import struct Replica.RefusedAction
@_exported public import struct Replica.ReplicaError
@_exported public import struct Replica.ReplicaRepair
