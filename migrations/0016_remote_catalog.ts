import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/**
 * The external catalogs that stores browse, and the products to which their items are linked. A catalog is never
 * copied: each call reads it from the external system.
 */
export async function up(knex: Knex) {
  await storeTable(
    knex,
    'remote_connections',
    `id uuid not null,
     base_url text not null,
     api_key_sealed text not null,
     requests_per_second double precision not null check (requests_per_second > 0),
     burst integer not null check (burst > 0),
     shared_with_till boolean not null,
     till_reserve_percent integer not null check (till_reserve_percent between 0 and 90),
     created_by uuid,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id)`,
  )
  await storeTable(
    knex,
    'remote_links',
    `id uuid not null,
     item_id text not null,
     product_id uuid not null,
     created_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, item_id),
     unique (store_id, product_id),
     foreign key (store_id, product_id) references products (store_id, id)`,
  )
  // Reads in progress, by the hash of the request, so that equal requests are sent once. The response deletes the row.
  await storeTable(
    knex,
    'remote_reads',
    `id uuid not null,
     request_hash bytea not null,
     expires_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, request_hash)`,
  )
  await knex.raw('alter table remote_reads set unlogged')
  // An outside system limits each API key. Several stores may use the same key, so a subject belongs to no store.
  await knex.raw(`
    create unlogged table throttle_slots (
      subject bytea not null,
      slot integer not null,
      is_in_use boolean not null,
      free_at timestamptz not null,
      primary key (subject, slot)
    ) with (fillfactor = 50);
    create unlogged table throttle_suspensions (
      subject bytea primary key,
      suspended_until timestamptz not null
    )`)
}
