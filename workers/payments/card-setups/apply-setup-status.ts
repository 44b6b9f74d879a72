import { type CardSetup, targetOf } from '#shared/payments/card-setup.ts'
import { completeCardSetup, saveCardOfSetup } from '#shared/payments/card-setups/complete-card-setup.ts'
import { recordEndedSetup, recordSetupRead } from '#shared/payments/card-setups/record-opened-setup.ts'
import type { SavedCard } from '#shared/payments/saved-cards/saved-card.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { replaceCard } from '#shared/subscriptions/card/replace-card.ts'
import type { SetupStatus } from '#workers/gateways/payments.ts'
import { readCard } from '#workers/payments/saved-cards/read-card.ts'

/** Applies the status of a card setup at the gateway. A success saves the card, and subscriptions are charged by it. */
export async function applySetupStatus(setup: CardSetup, outcome: SetupStatus): Promise<void> {
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
  if (isSaved) await replaceCard(tx, { ...targetOf(setup), card, givenAt: givenAt(setup) })
  await completeCardSetup(tx, setup.id, card)
}

/**
 * Returns the time at which the customer gave the card of a setup. A canceled setup can succeed late: its card is older
 * than that of the setup that replaced it.
 */
const givenAt = ({ status, createdAt }: CardSetup): Date => (status === 'canceled' ? createdAt : now())
