import type { Knex } from 'knex'

/**
 * Creates a table whose rows belong to a store. `columns` must end with a primary key that starts with `store_id`.
 * Row-level security is forced, so it applies to the owning role too. A query without a store fails: without
 * `missing_ok`, an unset `app.store_id` is an error, not an empty result.
 */
export async function storeTable(knex: Knex, name: string, columns: string): Promise<void> {
  await knex.raw(`create table ${name} (store_id uuid not null references stores (id), ${columns})`)
  await knex.raw(`alter table ${name} enable row level security, force row level security`)
  await knex.raw(
    `create policy own_store on ${name}
       using (store_id = current_setting('app.store_id')::uuid)
       with check (store_id = current_setting('app.store_id')::uuid)`,
  )
}
