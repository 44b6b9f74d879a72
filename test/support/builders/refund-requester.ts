import { assertNoOpenDispute } from '#shared/disputes/dispute.ts'
import type { OrderActor } from '#shared/orders/actor.ts'
import type { DisputesPort } from '#shared/refunds/request/request-refund.ts'

/** The actor of a refund, with the check of disputes that `requestRefund` takes. */
export const requester = (actor: OrderActor): { actor: OrderActor; disputes: DisputesPort } => ({
  actor,
  disputes: { assertNoOpenDispute },
})
