import { CardSetup } from '#shared/payments/card-setup.ts'
import { detachCard } from '#shared/payments/jobs.ts'
import { CARD_PROVIDER } from '#shared/payments/provider.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'

/**
 * Erases the saved cards of a customer, here and at their gateway. A card whose payment is captured at the same moment
 * is not saved.
 */
export async function eraseCards(tx: StoreTx, customerId: string): Promise<void> {
  const own = { store_id: tx.storeId, customer_id: customerId }
  // Delete the gateway's customers first: `recordSavedCard` locks them before it inserts a card.
  await tx.knex('gateway_customers').where(own).delete()
  await CardSetup.in(tx)
    .where('customer_id', customerId)
    .patch({ clientSecret: null, payerNetwork: null, failureReason: null })
  const cards = await tx.knex('saved_cards').where(own).delete().returning('reference')
  for (const { reference } of cards) await enqueue(tx, detachCard, { provider: CARD_PROVIDER, reference })
}
