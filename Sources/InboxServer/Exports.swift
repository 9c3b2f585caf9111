// The types of the configuration, of backups and of checkups are declared in InboxService.
@_exported public import InboxService
