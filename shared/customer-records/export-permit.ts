import { permitPerStore } from '#shared/platform/throttle/permit-per-store.ts'

/**
 * Runs a customer's export with a permit of the store. One runs at a time: it takes a third of a second for a thousand
 * orders, and those of twenty customers would use all connections of the store. Call it outside a transaction.
 */
export const withExportPermit = permitPerStore(1)
