import { detachCard } from '#shared/payments/jobs.ts'
import {
  forgetCards,
  forgetGatewayCustomers,
  listCardReferences,
} from '#shared/payments/saved-cards/forget-cards.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { pendingPayloads } from '#shared/platform/jobs/pending-jobs.ts'
import { log } from '#shared/platform/log.ts'
import { GatewayRefusal } from '#workers/gateways/payments.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'

const BATCH_SIZE = 20

/**
 * Removes all saved cards of a deleted store at the gateway, and those of customers whose job has not run. A repeat
 * continues with the cards that are left. A card that the gateway refuses to remove is logged, because no repeat would
 * remove it.
 */
export async function detachCardsOfStore(storeId: string, signal: AbortSignal): Promise<void> {
  while (await inStore(storeId, forgetGatewayCustomers)) signal.throwIfAborted()
  for (const { reference } of await pendingPayloads(detachCard, storeId))
    await detach(storeId, reference, signal)
  for (;;) {
    const references = await inStore(storeId, (tx) => listCardReferences(tx, BATCH_SIZE))
    if (references.length === 0) return
    for (const reference of references) await detach(storeId, reference, signal)
    await inStore(storeId, (tx) => forgetCards(tx, references))
  }
}

async function detach(storeId: string, reference: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  try {
    await stripeGateway().detachCard(reference)
  } catch (error) {
    if (!(error instanceof GatewayRefusal)) throw error
    log.error({ err: error, storeId, reference }, 'the gateway refuses to remove a card of a purged store')
  }
}
