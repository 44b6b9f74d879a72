import type { Knex } from 'knex'

/**
 * Locks a name until the transaction ends: others that lock it wait. Names are those of the whole database, so that of
 * a store's resource contains the store's id.
 */
export async function lockName(knex: Knex, name: string): Promise<void> {
  await knex.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [name])
}
