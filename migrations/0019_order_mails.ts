import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** The mails to buyers about events of their orders: each event has one at most. */
export async function up(knex: Knex) {
  await storeTable(
    knex,
    'order_mails',
    `event_id uuid not null,
     order_id uuid not null,
     kind text not null,
     queued_at timestamptz not null,
     primary key (store_id, event_id),
     foreign key (store_id, order_id) references orders (store_id, id)`,
  )
  await knex.raw('create index on order_mails (store_id, order_id, queued_at)')
}
