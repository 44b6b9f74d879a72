import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** Attributes of products, their price rules and related products. */
export async function up(knex: Knex) {
  await attributeGroups(knex)
  await attributes(knex)
  await productAttributes(knex)
  await priceRules(knex)
  await relatedProducts(knex)
}

async function attributeGroups(knex: Knex) {
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
}

async function attributes(knex: Knex) {
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
}

async function productAttributes(knex: Knex) {
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

async function priceRules(knex: Knex) {
  // The unit price of a line with at least `min_quantity` units: 1 makes a special price, more a quantity discount.
  await storeTable(
    knex,
    'price_rules',
    `product_id uuid not null,
     position integer not null,
     -- Null: for everyone.
     customer_group_id uuid,
     min_quantity integer not null check (min_quantity >= 1),
     price_minor bigint not null check (price_minor > 0),
     starts_at timestamptz,
     ends_at timestamptz,
     primary key (store_id, product_id, position),
     foreign key (store_id, product_id) references products (store_id, id),
     foreign key (store_id, customer_group_id) references customer_groups (store_id, id),
     check (ends_at > starts_at)`,
  )
  await knex.raw(
    'create index on price_rules (store_id, customer_group_id) where customer_group_id is not null',
  )
}

async function relatedProducts(knex: Knex) {
  await storeTable(
    knex,
    'related_products',
    `product_id uuid not null,
     position integer not null,
     related_id uuid not null,
     primary key (store_id, product_id, position),
     foreign key (store_id, product_id) references products (store_id, id),
     foreign key (store_id, related_id) references products (store_id, id)`,
  )
  await knex.raw('create index on related_products (store_id, related_id)')
}
