import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** The address books of customers. */
export async function up(knex: Knex) {
  await storeTable(
    knex,
    'customer_addresses',
    `id uuid not null,
     customer_id uuid not null,
     address jsonb not null,
     is_default_shipping boolean not null,
     is_default_billing boolean not null,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     foreign key (store_id, customer_id) references customers (store_id, id) on delete cascade`,
  )
  await knex.raw(`
    create index on customer_addresses (store_id, customer_id);
    create unique index customer_addresses_shipping on customer_addresses (store_id, customer_id)
      where is_default_shipping;
    create unique index customer_addresses_billing on customer_addresses (store_id, customer_id)
      where is_default_billing;
  `)
}
