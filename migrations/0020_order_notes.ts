import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** Notes of staff on orders, for other staff or for the buyer. */
export async function up(knex: Knex) {
  await storeTable(
    knex,
    'order_notes',
    `id uuid not null,
     order_id uuid not null,
     body text not null,
     is_customer_visible boolean not null,
     is_mailed boolean not null,
     actor text not null,
     created_at timestamptz not null,
     primary key (store_id, id),
     foreign key (store_id, order_id) references orders (store_id, id),
     check (is_customer_visible or not is_mailed)`,
  )
  await knex.raw('create index on order_notes (store_id, order_id, id)')
}
