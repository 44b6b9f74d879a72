import { type CardSetup, findSetup } from '#shared/payments/card-setup.ts'
import { recordEndedSetup, recordOpenedSetup } from '#shared/payments/card-setups/record-setup.ts'
import { openCardSetup as job } from '#shared/payments/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { GatewayRefusal, type OpenedPayment } from '#workers/gateways/payments.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe.ts'
import { handle } from '#workers/platform/handle.ts'
import { findOrCreateGatewayCustomer } from './gateway-customer.ts'

/**
 * Opens a card setup at the gateway, between two transactions. Its id is the idempotency key, so a repeat is harmless.
 */
export const openCardSetup = handle(job, async ({ storeId, setupId }) => {
  const setup = await inStore(storeId, (tx) => findSetup(tx, setupId))
  if (setup?.status !== 'pending') return
  try {
    const opened = await openAtGateway(setup)
    await inStore(storeId, (tx) => recordOpenedSetup(tx, setupId, opened))
  } catch (error) {
    if (!(error instanceof GatewayRefusal)) throw error
    const { reason } = error
    await inStore(storeId, (tx) => recordEndedSetup(tx, setupId, 'failed', reason))
  }
})

async function openAtGateway({ id, storeId, customerId }: CardSetup): Promise<OpenedPayment> {
  const customer = await findOrCreateGatewayCustomer(storeId, customerId)
  const metadata = { store_id: storeId, setup_id: id }
  return stripeGateway().openSetup({ idempotencyKey: id, customer, metadata })
}
