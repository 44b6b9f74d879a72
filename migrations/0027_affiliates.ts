import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** Affiliates, their commissions with the ledger, and the affiliate of an order. */
export async function up(knex: Knex) {
  await affiliates(knex)
  await commissions(knex)
  await commissionEntries(knex)
}

async function affiliates(knex: Knex) {
  // Only a ledger entry changes the balance: see shared/affiliates/commissions. Percentages are in hundredths.
  await storeTable(
    knex,
    'affiliates',
    `id uuid not null,
     customer_id uuid not null,
     code text not null,
     status text not null check (status in ('pending', 'approved', 'rejected', 'suspended')),
     commission_percent integer check (commission_percent between 0 and 10000),
     website text,
     company text,
     payout_sealed text,
     balance_minor bigint not null default 0,
     entry_count integer not null default 0,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     deleted_at timestamptz,
     primary key (store_id, id),
     foreign key (store_id, customer_id) references customers (store_id, id)`,
  )
  await knex.raw(`
    create unique index affiliates_customer on affiliates (store_id, customer_id) where deleted_at is null;
    create index on affiliates (store_id, customer_id);
    create index on affiliates (store_id, created_at desc, id desc) where deleted_at is null;
    alter table orders add column affiliate_id uuid;
    alter table orders add constraint orders_affiliate
      foreign key (store_id, affiliate_id) references affiliates (store_id, id) not valid;
    create index orders_affiliate_id on orders (store_id, affiliate_id, created_at) where affiliate_id is not null;
  `)
}

async function commissions(knex: Knex) {
  // The commission of an order: the amounts it is calculated from, and the part that refunds have reversed.
  await storeTable(
    knex,
    'commissions',
    `id uuid not null,
     affiliate_id uuid not null,
     order_id uuid not null,
     percent integer not null check (percent between 0 and 10000),
     net_minor bigint not null check (net_minor >= 0),
     goods_minor bigint not null check (goods_minor >= 0),
     goods_refunded_minor bigint not null default 0 check (goods_refunded_minor between 0 and goods_minor),
     amount_minor bigint not null check (amount_minor >= 0),
     reversed_minor bigint not null default 0 check (reversed_minor between 0 and amount_minor),
     currency char(3) not null,
     refusal text check (refusal in ('self_referral', 'affiliate_deleted')),
     payable_at timestamptz not null,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, order_id),
     foreign key (store_id, affiliate_id) references affiliates (store_id, id),
     foreign key (store_id, order_id) references orders (store_id, id),
     check (refusal is null or amount_minor = 0)`,
  )
  await knex.raw('create index on commissions (store_id, affiliate_id, id)')
}

async function commissionEntries(knex: Knex) {
  await storeTable(
    knex,
    'commission_entries',
    `id uuid not null,
     affiliate_id uuid not null,
     number integer not null,
     kind text not null check (kind in ('earned', 'reversed', 'restored', 'paid')),
     amount_minor bigint not null,
     balance_minor bigint not null,
     currency char(3) not null,
     order_id uuid,
     payable_at timestamptz,
     reference text,
     actor text not null,
     created_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, affiliate_id, number),
     foreign key (store_id, affiliate_id) references affiliates (store_id, id),
     foreign key (store_id, order_id) references orders (store_id, id),
     check (case when kind in ('earned', 'restored') then amount_minor > 0 else amount_minor < 0 end),
     check ((kind = 'paid') = (payable_at is null))`,
  )
  await knex.raw(`
    create index on commission_entries (store_id, affiliate_id, id);
    create index on commission_entries (store_id, order_id);
  `)
}
