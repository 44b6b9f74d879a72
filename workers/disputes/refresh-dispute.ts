import { readDisputeVersion, recordDispute } from '#shared/disputes/record-dispute.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'

/**
 * Reads the status of a dispute at the gateway, and records it. Of two concurrent reads, the later transaction reads it
 * again.
 */
export async function refreshDispute(storeId: string, reference: string): Promise<void> {
  for (let isRecorded = false; !isRecorded; ) {
    const version = await inStore(storeId, (tx) => readDisputeVersion(tx, reference))
    const dispute = await stripeGateway().readDispute(reference)
    isRecorded = !dispute || (await inStore(storeId, (tx) => recordDispute(tx, dispute, version)))
  }
}
