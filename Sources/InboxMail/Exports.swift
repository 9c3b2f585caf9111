// What the facade's own declarations speak of: `import InboxMail` is enough to use them.
@_exported public import Groundwork
@_exported public import InboxClient
@_exported public import Replica
