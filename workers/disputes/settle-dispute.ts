import { readDisputeVersion, recordDispute } from '#shared/disputes/record-dispute.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe.ts'

/** Records a dispute as the gateway has it. Of two reads at once, the later transaction reads it again. */
export async function settleDispute(storeId: string, reference: string): Promise<void> {
  for (let isRecorded = false; !isRecorded; ) {
    const version = await inStore(storeId, (tx) => readDisputeVersion(tx, reference))
    const dispute = await stripeGateway().readDispute(reference)
    isRecorded = !dispute || (await inStore(storeId, (tx) => recordDispute(tx, dispute, version)))
  }
}
