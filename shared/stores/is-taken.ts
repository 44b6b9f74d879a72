import type { StoreTx } from '../platform/store-scope.ts'

/**
 * Whether another store has proved a domain to be its own. The answer holds until the transaction ends: two stores that
 * settle a claim to one domain at once do so one after the other.
 */
export async function isTaken(tx: StoreTx, domain: string): Promise<boolean> {
  await tx.knex.raw("select pg_advisory_xact_lock(hashtextextended('store_domain ' || ?, 0))", [domain])
  const other = await tx
    .knex('store_domains')
    .where({ domain })
    .whereNot('store_id', tx.storeId)
    .whereNotNull('verified_at')
    .first('id')
  return other !== undefined
}
