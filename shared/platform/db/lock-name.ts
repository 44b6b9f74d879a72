import type { Knex } from 'knex'

/**
 * Locks a name until the transaction ends. Other transactions that lock it wait. All stores share the names, so the
 * name of a store's resource contains the store's id.
 */
export async function lockName(knex: Knex, name: string): Promise<void> {
  await knex.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [name])
}
