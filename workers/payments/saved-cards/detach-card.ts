import { detachCard as job } from '#shared/payments/jobs.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'
import { handle } from '#workers/platform/handle.ts'

/** Removes a saved card at its gateway. A repeat changes nothing. */
export const detachCard = handle(job, ({ reference }) => stripeGateway().detachCard(reference))
