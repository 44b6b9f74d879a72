import { type CardSetup, findSetup } from '#shared/payments/card-setup.ts'
import { recordEndedSetup, recordOpenedSetup } from '#shared/payments/card-setups/record-opened-setup.ts'
import { openCardSetup as job } from '#shared/payments/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { GatewayRefusal, type OpenedIntent } from '#workers/gateways/payments.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'
import { findOrCreateGatewayCustomer } from '#workers/payments/saved-cards/find-or-create-gateway-customer.ts'
import { handle } from '#workers/platform/handle.ts'

/**
 * Opens a card setup at the gateway, between two transactions. The setup's id is the idempotency key, so a repeat is
 * harmless.
 */
export const openCardSetup = handle(job, async ({ storeId, setupId }) => {
  const setup = await inStore(storeId, (tx) => findSetup(tx, setupId))
  if (setup?.status === 'pending') await openAndRecord(setup)
})

async function openAndRecord(setup: CardSetup): Promise<void> {
  const { storeId, id } = setup
  try {
    const opened = await openAtGateway(setup)
    await inStore(storeId, (tx) => recordOpenedSetup(tx, id, opened))
  } catch (error) {
    if (!(error instanceof GatewayRefusal)) throw error
    const { reason } = error
    await inStore(storeId, (tx) => recordEndedSetup(tx, id, 'failed', reason))
  }
}

async function openAtGateway({ id, storeId, customerId }: CardSetup): Promise<OpenedIntent> {
  const customer = await findOrCreateGatewayCustomer(storeId, customerId)
  const metadata = { store_id: storeId, setup_id: id }
  return stripeGateway().openSetup({ idempotencyKey: id, customer, metadata })
}
