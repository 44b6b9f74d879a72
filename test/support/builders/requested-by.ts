import { assertNoOpenDispute } from '#shared/disputes/dispute.ts'
import type { OrderActor } from '#shared/orders/actor.ts'

/** Who requests a refund, and the check for disputes that every caller passes in. */
export const requestedBy = (actor: OrderActor) => ({ actor, port: { assertNoOpenDispute } })
