import { findSetup } from '#shared/payments/card-setup.ts'
import { settleCardSetup as job } from '#shared/payments/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'
import { handle } from '#workers/platform/handle.ts'
import { applySetupStatus } from './apply-setup-status.ts'
import { closeSetup } from './close-setup.ts'

/** Reads the status of a card setup at the gateway, and applies it. A canceled or expired setup is canceled there. */
export const settleCardSetup = handle(job, async ({ storeId, setupId }) => {
  const setup = await inStore(storeId, (tx) => findSetup(tx, setupId))
  if (!setup?.gatewayReference || setup.closedAtGateway) return
  const isWanted = setup.status === 'requires_action' && setup.expiresAt > now()
  if (!isWanted) return closeSetup(setup)
  await applySetupStatus(setup, await stripeGateway().readSetup(setup.gatewayReference))
})
