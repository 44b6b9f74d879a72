import { db } from '#shared/platform/db/db.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** A payment or a card setup that a gateway knows by a reference. */
export type Referenced = { paymentId: string } | { setupId: string }

/** The store of the payment or card setup that a gateway knows by this reference. Undefined when it is none of ours. */
export async function locateStore(provider: string, reference: string): Promise<string | undefined> {
  const found = await db()('payment_references').where({ provider, reference }).first('store_id as storeId')
  return found?.storeId
}

/** The stores of the payments that a gateway knows by these references. One that is none of ours is not in it. */
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
 * Lets a gateway's notifications find the store of a payment or card setup by its reference. False: the reference was
 * known.
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
