import type { Knex } from 'knex'

/** The result of the last comparison of each store's books, for /metrics. */
export async function up(knex: Knex) {
  await knex.raw(`
    create table platform_reconciliations (
      store_id uuid not null,
      -- store: the store's books compared with each other. gateway: compared with those of the payment gateway.
      book text not null check (book in ('store', 'gateway')),
      discrepancies integer not null check (discrepancies >= 0),
      checked_at timestamptz not null,
      primary key (store_id, book)
    )`)
}
