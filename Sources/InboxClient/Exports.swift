// The modules whose types the public API uses, so that `import InboxClient` suffices. Groundwork's public API is only
// the dependencies that tests replace: clock, randomness and transport.
@_exported public import Groundwork
@_exported public import InboxModel
@_exported public import Replica
