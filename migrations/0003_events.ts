import type { Knex } from 'knex'
import { storeTable } from './support/store-table.ts'

/** What happened in a store, in the order in which it was published, and the webhooks that tell of it. */
export async function up(knex: Knex) {
  await storeTable(
    knex,
    'events',
    `id uuid not null,
     type text not null,
     data jsonb not null,
     sequence bigint,
     created_at timestamptz not null,
     published_at timestamptz,
     primary key (store_id, id),
     unique (store_id, sequence)`,
  )
  await knex.raw('create index events_unpublished on events (store_id, id) where sequence is null')
  await storeTable(knex, 'event_sequences', 'last bigint not null, primary key (store_id)')
  await storeTable(
    knex,
    'webhook_endpoints',
    `id uuid not null,
     url text not null,
     events text[] not null,
     description text,
     is_active boolean not null default true,
     secret_sealed text not null,
     previous_secret_sealed text,
     previous_secret_until timestamptz,
     failing_since timestamptz,
     disabled_reason text,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     deleted_at timestamptz,
     primary key (store_id, id)`,
  )
  await storeTable(
    knex,
    'webhook_deliveries',
    `id uuid not null,
     endpoint_id uuid not null,
     event_id uuid not null,
     event_type text not null,
     status text not null check (status in ('pending', 'succeeded', 'failed', 'exhausted')),
     attempt_count integer not null default 0,
     next_attempt_at timestamptz,
     created_at timestamptz not null,
     finished_at timestamptz,
     primary key (store_id, id),
     unique (store_id, endpoint_id, event_id),
     foreign key (store_id, endpoint_id) references webhook_endpoints (store_id, id),
     foreign key (store_id, event_id) references events (store_id, id)`,
  )
  await knex.raw('create index on webhook_deliveries (store_id, endpoint_id, id desc)')
  await knex.raw(`create index on webhook_deliveries (store_id, next_attempt_at) where status = 'pending'`)
  await storeTable(
    knex,
    'webhook_attempts',
    `id uuid not null,
     delivery_id uuid not null,
     at timestamptz not null,
     status_code integer,
     duration_ms integer not null,
     error text,
     response_excerpt text,
     primary key (store_id, id),
     foreign key (store_id, delivery_id) references webhook_deliveries (store_id, id)`,
  )
  await knex.raw('create index on webhook_attempts (store_id, delivery_id, id)')
}
