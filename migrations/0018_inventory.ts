import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** Stock movements and reservations. The stock levels are columns of product_variants, because lists read them. */
export async function up(knex: Knex) {
  await storeTable(
    knex,
    'stock_movements',
    `id uuid not null,
     variant_id uuid not null,
     delta integer not null,
     reason text not null,
     reference text,
     note text,
     created_at timestamptz not null,
     primary key (store_id, id),
     foreign key (store_id, variant_id) references product_variants (store_id, id)`,
  )
  await knex.raw('create index on stock_movements (store_id, variant_id, id)')
  // An order can have units of a variant in several statuses, e.g. when a part of them is shipped. held: reserved while
  // the payment is open. allocated: sold and not yet shipped. Then they become shipped or released.
  await storeTable(
    knex,
    'stock_reservations',
    `order_id uuid not null,
     variant_id uuid not null,
     quantity integer not null check (quantity > 0),
     status text not null check (status in ('held', 'allocated', 'shipped', 'released')),
     primary key (store_id, order_id, variant_id, status),
     foreign key (store_id, order_id) references orders (store_id, id),
     foreign key (store_id, variant_id) references product_variants (store_id, id)`,
  )
  await knex.raw(`
    create index on stock_reservations (store_id, variant_id);
    create index stock_reservations_open on stock_reservations (store_id, variant_id, order_id)
      where status in ('held', 'allocated')`)
}
