import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * Whether a domain can become the store's: false when another store has proved it to be its own. A deleted store holds
 * nobody up: its proof is void from here on, and should it be restored, it has to verify the domain anew. The answer
 * holds until the transaction ends: two stores that settle a claim to one domain at once do so one after the other.
 */
export async function freeDomain(tx: StoreTx, domain: string): Promise<boolean> {
  await tx.knex.raw("select pg_advisory_xact_lock(hashtextextended('store_domain ' || ?, 0))", [domain])
  const others = () =>
    tx.knex('store_domains').where({ domain }).whereNot('store_id', tx.storeId).whereNotNull('verified_at')
  await others()
    .whereIn('store_id', tx.knex('stores').select('id').where('status', 'deleted'))
    .update({ verified_at: null, failure: 'taken' })
  return (await others().first('id')) === undefined
}
