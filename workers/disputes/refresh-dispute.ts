import { readDisputeVersion, recordDispute } from '#shared/disputes/record-dispute.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'

const MAX_READS = 3

/**
 * Reads the status of a dispute at the gateway, and records it. Of two concurrent reads, the later transaction reads it
 * again. Throws if the dispute changes here during each read; the queue repeats the job then.
 */
export async function refreshDispute(storeId: string, reference: string): Promise<void> {
  for (let reads = 0; reads < MAX_READS; reads++) {
    const version = await inStore(storeId, (tx) => readDisputeVersion(tx, reference))
    const dispute = await stripeGateway().readDispute(reference)
    if (!dispute || (await inStore(storeId, (tx) => recordDispute(tx, dispute, version)))) return
  }
  throw new Error(`The dispute ${reference} changed during each of ${MAX_READS} reads`)
}
