// The modules whose types appear in this module's API: `import InboxMail` is enough to use them.
@_exported public import Groundwork
@_exported public import InboxClient
@_exported public import Replica
