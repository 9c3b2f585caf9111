// What the configuration, backups and checkups are made of is the service's.
@_exported public import InboxService
