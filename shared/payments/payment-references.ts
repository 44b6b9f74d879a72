import { db } from '#shared/platform/db/db.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** A payment or a card setup that a gateway knows by a reference. */
export type Referenced = { paymentId: string } | { setupId: string }

/**
 * Returns the id of the store whose payment or card setup has this reference at the gateway. Undefined if it is none of
 * ours.
 */
export async function locateStore(provider: string, reference: string): Promise<string | undefined> {
  const found = await db()('payment_references').where({ provider, reference }).first('store_id as storeId')
  return found?.storeId
}

/**
 * Returns the ids of the stores whose payments have these references at the gateway, by reference. References that are
 * not ours are left out.
 */
export async function locateStores(
  provider: string,
  references: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await db()('payment_references')
    .where({ provider })
    .whereIn('reference', [...references])
    .select('reference', 'store_id as storeId')
  return new Map(found.map(({ reference, storeId }) => [reference, storeId]))
}

/**
 * Saves the reference of a payment or card setup, by which the gateway's notifications find its store. Returns false if
 * the reference was known.
 */
export async function registerReference(
  tx: StoreTx,
  provider: string,
  reference: string,
  of: Referenced,
): Promise<boolean> {
  const target = 'paymentId' in of ? { payment_id: of.paymentId } : { setup_id: of.setupId }
  const registered = await tx
    .knex('payment_references')
    .insert({ provider, reference, store_id: tx.storeId, ...target })
    .onConflict()
    .ignore()
    .returning('reference')
  return registered.length > 0
}
