import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

/**
 * Returns the gateway's id of a customer, e.g. `cus_…`, who owns the saved cards there. Undefined before the first
 * saved card.
 */
export async function findGatewayCustomer(
  tx: StoreTx,
  customerId: string,
  provider: string,
): Promise<string | undefined> {
  const found = await rowsOf(tx, customerId, provider).first('reference')
  return found?.reference
}

/** Records the gateway's id of a customer. Returns the id that was recorded first. */
export async function recordGatewayCustomer(
  tx: StoreTx,
  { customerId, provider, reference }: { customerId: string; provider: string; reference: string },
): Promise<string> {
  const row = { store_id: tx.storeId, customer_id: customerId, provider, reference, created_at: now() }
  await tx.knex('gateway_customers').insert(row).onConflict().ignore()
  return (await findGatewayCustomer(tx, customerId, provider)) ?? reference
}

/**
 * Locks a customer's row until the end of the transaction, so that no other transaction erases the cards. False if
 * there is no row.
 */
export async function lockGatewayCustomer(
  tx: StoreTx,
  customerId: string,
  provider: string,
): Promise<boolean> {
  return (await rowsOf(tx, customerId, provider).forShare().first('reference')) !== undefined
}

const rowsOf = (tx: StoreTx, customerId: string, provider: string) =>
  tx.knex('gateway_customers').where({ store_id: tx.storeId, customer_id: customerId, provider })
