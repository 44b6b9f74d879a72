import { type CardSetup, findSetup, targetOf } from '#shared/payments/card-setup.ts'
import { completeCardSetup, saveCardOfSetup } from '#shared/payments/card-setups/complete-card-setup.ts'
import { recordEndedSetup, recordSetupRead } from '#shared/payments/card-setups/record-setup.ts'
import { settleCardSetup as job } from '#shared/payments/jobs.ts'
import type { SavedCard } from '#shared/payments/saved-cards/saved-card.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { replaceCard } from '#shared/subscriptions/card/replace-card.ts'
import { GatewayRefusal, type SetupStatus } from '#workers/gateways/payments.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'
import { readCard } from '#workers/payments/saved-cards/save-card.ts'
import { handle } from '#workers/platform/handle.ts'

/** Reads the status of a card setup at the gateway, and applies it. A canceled or expired setup is canceled there. */
export const settleCardSetup = handle(job, async ({ storeId, setupId }) => {
  const setup = await inStore(storeId, (tx) => findSetup(tx, setupId))
  if (!setup?.gatewayReference || setup.closedAtGateway) return
  const isWanted = setup.status === 'requires_action' && setup.expiresAt > now()
  if (!isWanted) return closeSetup(setup)
  await apply(setup, await stripeGateway().readSetup(setup.gatewayReference))
})

/**
 * Makes sure that the gateway can no longer complete a setup. If the gateway refuses to cancel it, it succeeded or was
 * canceled before. Then this reads the status and applies a success.
 */
export async function closeSetup(setup: CardSetup): Promise<void> {
  const { id, gatewayReference: reference, closedAtGateway } = setup
  if (!reference || closedAtGateway) return
  const outcome = await cancelOrRead(reference)
  if (outcome.status === 'open') throw new Error(`The gateway neither cancels nor completed the setup ${id}`)
  await apply(setup, outcome)
}

async function cancelOrRead(reference: string): Promise<SetupStatus> {
  const gateway = stripeGateway()
  try {
    await gateway.cancelSetup(reference)
    return { status: 'canceled' }
  } catch (error) {
    if (!(error instanceof GatewayRefusal)) throw error
    return gateway.readSetup(reference)
  }
}

async function apply(setup: CardSetup, outcome: SetupStatus): Promise<void> {
  const { id, storeId } = setup
  const card = outcome.status === 'succeeded' ? await readCard(outcome.cardReference) : null
  await inStore(storeId, async (tx) => {
    if (card) await complete(tx, setup, card)
    else if (outcome.status === 'canceled') await recordEndedSetup(tx, id, 'canceled')
    else await recordSetupRead(tx, id)
  })
}

async function complete(tx: StoreTx, setup: CardSetup, card: SavedCard): Promise<void> {
  const isSaved = await saveCardOfSetup(tx, setup, card)
  // Lock a subscription before its orders and setups.
  if (isSaved) await replaceCard(tx, { ...targetOf(setup), card })
  await completeCardSetup(tx, setup.id, card)
}
