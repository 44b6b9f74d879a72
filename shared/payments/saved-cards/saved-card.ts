import { detachCard } from '#shared/payments/jobs.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { lockGatewayCustomer } from './gateway-customer.ts'

/** A card that is saved for later charges. `reference` is the gateway's id of the card. */
export interface SavedCard {
  reference: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
}

/**
 * Records a card that a customer has saved at the gateway, or updates a known card. Returns false if the customer was
 * erased in between. Then the caller removes the card at the gateway.
 */
export async function recordSavedCard(
  tx: StoreTx,
  { customerId, provider }: { customerId: string; provider: string },
  { reference, brand, last4, expMonth, expYear }: SavedCard,
): Promise<boolean> {
  if (!(await lockGatewayCustomer(tx, customerId, provider))) {
    await enqueue(tx, detachCard, { provider, reference })
    return false
  }
  const details = { brand, last4, exp_month: expMonth, exp_year: expYear }
  await tx
    .knex('saved_cards')
    .insert({ store_id: tx.storeId, reference, customer_id: customerId, ...details, created_at: now() })
    .onConflict(['store_id', 'reference'])
    .merge(details)
  return true
}

/** Records the card that a captured payment has saved. */
export const recordCardOfPayment = (
  tx: StoreTx,
  paymentId: string,
  { reference }: SavedCard,
): PromiseLike<unknown> => Payment.in(tx).findById(paymentId).patch({ cardReference: reference })

/** Returns the saved cards of a customer, oldest first. */
export const listSavedCards = (
  tx: StoreTx,
  customerId: string,
): PromiseLike<(SavedCard & { createdAt: Date })[]> =>
  tx
    .knex('saved_cards')
    .where({ store_id: tx.storeId, customer_id: customerId })
    .orderBy('created_at')
    .select('reference', 'brand', 'last4')
    .select({ expMonth: 'exp_month', expYear: 'exp_year', createdAt: 'created_at' })
