// The clock, the transport and the errors of tests are those of every replica.
@_exported public import ReplicaTesting
