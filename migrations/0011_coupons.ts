import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** Coupons and their uses by orders. */
export async function up(knex: Knex) {
  await coupons(knex)
  await couponUses(knex)
}

async function coupons(knex: Knex) {
  // `value` is hundredths of a percent, or minor units. A limit may be lowered below the count of uses, so the
  // redemption checks the limit, not a constraint.
  await storeTable(
    knex,
    'coupons',
    `id uuid not null,
     code text not null,
     code_folded text not null,
     name text,
     description text,
     type text not null check (type in ('percent', 'fixed')),
     value bigint not null check (value >= 0),
     min_total_minor bigint not null default 0 check (min_total_minor >= 0),
     starts_at timestamptz,
     ends_at timestamptz,
     uses_total integer check (uses_total > 0),
     uses_per_customer integer check (uses_per_customer > 0),
     uses_count integer not null default 0 check (uses_count >= 0),
     logged_in_only boolean not null default false,
     free_shipping boolean not null default false,
     product_ids uuid[] not null default '{}',
     category_ids uuid[] not null default '{}',
     metadata jsonb not null default '{}',
     is_active boolean not null default true,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     check (type <> 'percent' or value <= 10000),
     check (value > 0 or free_shipping),
     check (ends_at > starts_at)`,
  )
  await knex.raw(`
    create unique index coupons_code on coupons (store_id, code_folded);
    create index on coupons (store_id, created_at desc, id desc);
  `)
}

async function couponUses(knex: Knex) {
  await storeTable(
    knex,
    'coupon_uses',
    `id uuid not null,
     coupon_id uuid not null,
     order_id uuid not null,
     customer_id uuid,
     email_hash bytea not null,
     discount_minor bigint not null check (discount_minor >= 0),
     currency char(3) not null,
     created_at timestamptz not null,
     released_at timestamptz,
     primary key (store_id, id),
     unique (store_id, order_id),
     foreign key (store_id, coupon_id) references coupons (store_id, id),
     foreign key (store_id, order_id) references orders (store_id, id),
     foreign key (store_id, customer_id) references customers (store_id, id)`,
  )
  await knex.raw(`
    create index on coupon_uses (store_id, coupon_id, id);
    create index on coupon_uses (store_id, customer_id) where customer_id is not null;
    create index on coupon_uses (store_id, coupon_id, customer_id) where released_at is null;
    create index on coupon_uses (store_id, coupon_id, email_hash) where released_at is null;
    alter table carts add column coupon_code text;
    alter table orders add column coupon_code text;
  `)
}
