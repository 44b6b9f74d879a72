import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** Carts, shipping methods, payment methods and orders. */
export async function up(knex: Knex) {
  await carts(knex)
  await cartItems(knex)
  await shippingMethods(knex)
  await paymentMethods(knex)
  await orders(knex)
  await orderWords(knex)
  await orderItems(knex)
  await shipments(knex)
  await shipmentItems(knex)
  await orderHistory(knex)
}

async function carts(knex: Knex) {
  await storeTable(
    knex,
    'carts',
    `id uuid not null,
     customer_id uuid,
     token_hash bytea,
     metadata jsonb not null default '{}',
     created_at timestamptz not null,
     updated_at timestamptz not null,
     expires_at timestamptz,
     primary key (store_id, id),
     foreign key (store_id, customer_id) references customers (store_id, id),
     check ((customer_id is null) = (token_hash is not null)),
     check ((customer_id is null) = (expires_at is not null))`,
  )
  await knex.raw(`
    create unique index carts_token on carts (store_id, token_hash);
    create unique index carts_customer on carts (store_id, customer_id);
    create index carts_expiry on carts (store_id, expires_at);
  `)
}

async function cartItems(knex: Knex) {
  await storeTable(
    knex,
    'cart_items',
    `id uuid not null,
     cart_id uuid not null,
     variant_id uuid not null,
     recurring_plan_id uuid,
     quantity integer not null check (quantity > 0),
     created_at timestamptz not null,
     primary key (store_id, id),
     unique nulls not distinct (store_id, cart_id, variant_id, recurring_plan_id),
     foreign key (store_id, cart_id) references carts (store_id, id) on delete cascade,
     foreign key (store_id, variant_id) references product_variants (store_id, id)`,
  )
  await knex.raw('create index on cart_items (store_id, variant_id)')
}

async function shippingMethods(knex: Knex) {
  await storeTable(
    knex,
    'shipping_methods',
    `id uuid not null,
     code text not null,
     name_i18n jsonb not null,
     price_minor bigint not null check (price_minor >= 0),
     tax_class_id uuid,
     estimate_i18n jsonb not null default '{}',
     countries text[] not null default '{}',
     position integer not null default 0,
     is_active boolean not null default true,
     primary key (store_id, id),
     unique (store_id, code)`,
  )
}

async function paymentMethods(knex: Knex) {
  await storeTable(
    knex,
    'payment_methods',
    `id uuid not null,
     code text not null check (code in ('card', 'bank_transfer', 'cash_on_delivery')),
     name_i18n jsonb not null,
     instructions_i18n jsonb not null default '{}',
     position integer not null default 0,
     is_active boolean not null default true,
     primary key (store_id, id),
     unique (store_id, code)`,
  )
}

async function orders(knex: Knex) {
  await storeTable(
    knex,
    'orders',
    `id uuid not null,
     number text not null,
     customer_id uuid,
     access_token_hashes bytea[] not null default '{}',
     status text not null
       check (status in ('pending', 'processing', 'failed', 'shipped', 'complete', 'canceled', 'refunded')),
     currency char(3) not null,
     language text not null,
     email text not null,
     firstname text not null,
     lastname text not null,
     telephone text not null,
     shipping_address jsonb not null,
     billing_address jsonb not null,
     shipping_method jsonb not null,
     payment_method text not null,
     -- The subscription that the order is a charge of.
     subscription_id uuid,
     charge_no integer check (charge_no > 0),
     note text,
     metadata jsonb not null default '{}',
     prices_include_tax boolean not null,
     subtotal_minor bigint not null check (subtotal_minor >= 0),
     discount_minor bigint not null default 0 check (discount_minor between 0 and subtotal_minor),
     shipping_minor bigint not null check (shipping_minor >= 0),
     shipping_tax_minor bigint not null default 0,
     tax_minor bigint not null default 0 check (tax_minor >= 0),
     rounding_minor bigint not null default 0,
     total_minor bigint not null,
     amount_captured_minor bigint not null default 0,
     amount_refunded_minor bigint not null default 0,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     paid_at timestamptz,
     shipped_at timestamptz,
     hold_until timestamptz,
     expires_at timestamptz,
     primary key (store_id, id),
     unique (store_id, number),
     foreign key (store_id, customer_id) references customers (store_id, id),
     check ((subscription_id is null) = (charge_no is null)),
     check (shipping_tax_minor between 0 and tax_minor),
     check (total_minor = subtotal_minor - discount_minor + shipping_minor + rounding_minor
       + case when prices_include_tax then 0 else tax_minor end),
     check (amount_refunded_minor between 0 and amount_captured_minor)`,
  )
  await knex.raw(`
    create index on orders (store_id, created_at desc, id desc);
    create index on orders (store_id, updated_at, id);
    create index on orders (store_id, customer_id, created_at desc);
    create index on orders (store_id, status, created_at desc);
    create unique index on orders (store_id, subscription_id, charge_no) where subscription_id is not null;
    create index on orders (store_id, expires_at) where status = 'pending';
    create index on orders (store_id, hold_until) where status in ('pending', 'failed') and hold_until is not null;
    create index orders_refund_owed on orders (store_id, created_at)
      where status in ('canceled', 'refunded') and amount_captured_minor > amount_refunded_minor;
  `)
}

async function orderWords(knex: Knex) {
  // Row-level security keeps PostgreSQL from using trigram indexes. Searches compare texts by this primary key.
  await storeTable(
    knex,
    'order_words',
    `word text collate "C" not null,
     order_id uuid not null,
     primary key (store_id, word, order_id),
     foreign key (store_id, order_id) references orders (store_id, id)`,
  )
  await knex.raw('create index on order_words (store_id, order_id)')
}

async function orderItems(knex: Knex) {
  await storeTable(
    knex,
    'order_items',
    `id uuid not null,
     order_id uuid not null,
     position integer not null,
     product_id uuid,
     variant_id uuid,
     name text not null,
     sku text not null,
     option_values jsonb not null default '{}',
     image_url text,
     quantity integer not null check (quantity > 0),
     unit_price_minor bigint not null check (unit_price_minor >= 0),
     line_total_minor bigint not null,
     discount_minor bigint not null default 0 check (discount_minor between 0 and line_total_minor),
     tax_minor bigint not null default 0 check (tax_minor >= 0),
     -- The line total less the discount, plus the tax unless the order's prices include it.
     total_minor bigint not null,
     refunded_quantity integer not null default 0,
     shipped_quantity integer not null default 0 check (shipped_quantity >= 0),
     -- The units that were refunded before they shipped, and do not ship.
     withdrawn_quantity integer not null default 0 check (withdrawn_quantity >= 0),
     -- The line of another order whose units a replacement sends again.
     replaces_item_id uuid,
     primary key (store_id, id),
     foreign key (store_id, order_id) references orders (store_id, id),
     foreign key (store_id, replaces_item_id) references order_items (store_id, id),
     check (line_total_minor = unit_price_minor * quantity),
     check (total_minor in (line_total_minor - discount_minor, line_total_minor - discount_minor + tax_minor)),
     check (refunded_quantity between 0 and quantity),
     check (shipped_quantity + withdrawn_quantity <= quantity)`,
  )
  await knex.raw(`
    create index on order_items (store_id, order_id, position);
    create index on order_items (store_id, replaces_item_id) where replaces_item_id is not null;
  `)
}

async function shipments(knex: Knex) {
  await storeTable(
    knex,
    'shipments',
    `id uuid not null,
     order_id uuid not null,
     carrier text not null,
     tracking_number text not null,
     tracking_url text not null,
     is_notified boolean not null,
     created_by text not null,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     foreign key (store_id, order_id) references orders (store_id, id)`,
  )
  await knex.raw('create index on shipments (store_id, order_id, id)')
}

async function shipmentItems(knex: Knex) {
  await storeTable(
    knex,
    'shipment_items',
    `shipment_id uuid not null,
     order_item_id uuid not null,
     quantity integer not null check (quantity > 0),
     primary key (store_id, shipment_id, order_item_id),
     foreign key (store_id, shipment_id) references shipments (store_id, id) on delete cascade,
     foreign key (store_id, order_item_id) references order_items (store_id, id)`,
  )
  await knex.raw('create index on shipment_items (store_id, order_item_id)')
}

async function orderHistory(knex: Knex) {
  await storeTable(
    knex,
    'order_steps',
    `id uuid not null,
     order_id uuid not null,
     from_status text,
     to_status text not null,
     actor text not null,
     note text,
     -- The shipment or the return that a note is about. It may have been deleted.
     shipment_id uuid,
     return_id uuid,
     created_at timestamptz not null,
     primary key (store_id, id),
     foreign key (store_id, order_id) references orders (store_id, id)`,
  )
  await knex.raw('create index on order_steps (store_id, order_id, id)')
}
