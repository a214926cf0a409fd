// Package dnsplan tells what external-dns would make of the DNS zones of a fleet: the objects of each cluster and the settings of
// its external-dns go in, and out come the changes of records, who owns them, and why a wanted record is not there.
//
// The planner, the registries and the flag parser are those of external-dns 0.21. What is ours is the zone under them, which is
// strict: it keeps no labels, knows where zones begin, and refuses what a DNS server refuses.
package dnsplan
