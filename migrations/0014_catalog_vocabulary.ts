import type { Knex } from 'knex'
import { storeTable } from './support/store-table.ts'

/** What products are described by and priced by. */
export async function up(knex: Knex) {
  await storeTable(
    knex,
    'attribute_groups',
    `id uuid not null,
     name_i18n jsonb not null,
     name_key text not null,
     position integer not null default 0,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, name_key)`,
  )
  await storeTable(
    knex,
    'attributes',
    `id uuid not null,
     group_id uuid not null,
     name_i18n jsonb not null,
     name_key text not null,
     position integer not null default 0,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, group_id, name_key),
     foreign key (store_id, group_id) references attribute_groups (store_id, id)`,
  )
  await storeTable(
    knex,
    'product_attributes',
    `id uuid not null,
     product_id uuid not null,
     attribute_id uuid not null,
     value text not null,
     primary key (store_id, id),
     unique (store_id, product_id, attribute_id),
     foreign key (store_id, product_id) references products (store_id, id),
     foreign key (store_id, attribute_id) references attributes (store_id, id)`,
  )
  await knex.raw('create index on product_attributes (store_id, attribute_id, value, product_id)')
}
