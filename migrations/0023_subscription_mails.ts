import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** The mails to customers about events of their subscriptions: each event has one at most. */
export async function up(knex: Knex) {
  await storeTable(
    knex,
    'subscription_mails',
    `event_id uuid not null,
     subscription_id uuid not null,
     kind text not null,
     queued_at timestamptz not null,
     primary key (store_id, event_id),
     foreign key (store_id, subscription_id) references subscriptions (store_id, id)`,
  )
  await knex.raw('create index on subscription_mails (store_id, subscription_id, queued_at)')
}
