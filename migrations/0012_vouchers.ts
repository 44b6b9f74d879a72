import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** Gift vouchers, their ledger, redemptions by orders and withdrawals by refunds. */
export async function up(knex: Knex) {
  await voucherThemes(knex)
  await voucherCodeKeys(knex)
  await vouchers(knex)
  await voucherWords(knex)
  await voucherRedemptions(knex)
  await voucherEntries(knex)
  await cartVouchers(knex)
  await voucherWithdrawals(knex)
}

async function voucherThemes(knex: Knex) {
  await storeTable(
    knex,
    'voucher_themes',
    `id uuid not null,
     name_i18n jsonb not null,
     image text not null,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id)`,
  )
}

async function voucherCodeKeys(knex: Knex) {
  await storeTable(
    knex,
    'voucher_code_keys',
    'sealed_key text not null, created_at timestamptz not null, primary key (store_id)',
  )
}

async function vouchers(knex: Knex) {
  // Only a ledger entry changes the three amounts: see shared/vouchers/book-voucher-entry.ts.
  await storeTable(
    knex,
    'vouchers',
    `id uuid not null,
     -- The code itself, its hash with the key of the store, and its last letters: see shared/vouchers/codes.
     sealed_code text not null,
     code_hash bytea not null,
     code_end text not null,
     currency char(3) not null,
     amount_minor bigint not null default 0 check (amount_minor >= 0),
     reserved_minor bigint not null default 0 check (reserved_minor >= 0),
     entry_count integer not null default 0,
     spent_minor bigint not null default 0 check (spent_minor >= 0),
     from_name text not null,
     from_email text not null,
     to_name text not null,
     to_email text not null,
     message text not null,
     metadata jsonb not null default '{}',
     language text,
     voucher_theme_id uuid,
     order_id uuid,
     order_item_id uuid,
     awaits_payment boolean not null default false,
     is_active boolean not null,
     is_disputed boolean not null default false,
     expires_at timestamptz,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     constraint vouchers_theme
       foreign key (store_id, voucher_theme_id) references voucher_themes (store_id, id),
     constraint vouchers_order foreign key (store_id, order_id) references orders (store_id, id),
     foreign key (store_id, order_item_id) references order_items (store_id, id),
     check (reserved_minor + spent_minor <= amount_minor),
     check (not (awaits_payment and is_active))`,
  )
  await knex.raw(`
    create unique index vouchers_code on vouchers (store_id, code_hash);
    create unique index vouchers_order_item on vouchers (store_id, order_item_id);
    create index on vouchers (store_id, created_at desc, id desc);
    create index on vouchers (store_id, updated_at, id);
    create index on vouchers (store_id, order_id);
    create index on vouchers (store_id, voucher_theme_id);
    create index vouchers_disputed on vouchers (store_id, id) where is_disputed;
  `)
}

async function voucherWords(knex: Knex) {
  // Words of names, e-mail addresses and the last letters of codes, never of whole codes. Row-level security keeps
  // PostgreSQL from using trigram indexes. Searches compare texts by this primary key.
  await storeTable(
    knex,
    'voucher_words',
    `word text collate "C" not null,
     voucher_id uuid not null,
     primary key (store_id, word, voucher_id),
     foreign key (store_id, voucher_id) references vouchers (store_id, id) on delete cascade`,
  )
  await knex.raw('create index on voucher_words (store_id, voucher_id)')
}

async function voucherRedemptions(knex: Knex) {
  // The part of a voucher's balance that pays an order: reserved until the order is paid, then captured, or released.
  await storeTable(
    knex,
    'voucher_redemptions',
    `id uuid not null,
     order_id uuid not null,
     voucher_id uuid not null,
     status text not null check (status in ('reserved', 'captured', 'released')),
     amount_minor bigint not null check (amount_minor > 0),
     refunded_minor bigint not null default 0 check (refunded_minor between 0 and amount_minor),
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, order_id),
     foreign key (store_id, order_id) references orders (store_id, id),
     foreign key (store_id, voucher_id) references vouchers (store_id, id),
     check (refunded_minor = 0 or status = 'captured')`,
  )
}

async function voucherEntries(knex: Knex) {
  await storeTable(
    knex,
    'voucher_entries',
    `id uuid not null,
     voucher_id uuid not null,
     number integer not null,
     kind text not null check (kind in ('issue', 'reserve', 'capture', 'release', 'refund', 'adjust')),
     amount_minor bigint not null check (amount_minor > 0 or kind = 'adjust'),
     balance_minor bigint not null check (balance_minor >= 0),
     order_id uuid,
     actor text not null,
     created_at timestamptz not null,
     primary key (store_id, id),
     foreign key (store_id, voucher_id) references vouchers (store_id, id),
     foreign key (store_id, order_id) references orders (store_id, id)`,
  )
}

async function cartVouchers(knex: Knex) {
  // Gift vouchers to buy, each a line of a cart.
  await storeTable(
    knex,
    'cart_vouchers',
    `id uuid not null,
     cart_id uuid not null,
     amount_minor bigint not null check (amount_minor > 0),
     from_name text not null,
     from_email text not null,
     to_name text not null,
     to_email text not null,
     message text not null,
     voucher_theme_id uuid,
     created_at timestamptz not null,
     primary key (store_id, id),
     foreign key (store_id, cart_id) references carts (store_id, id) on delete cascade,
     constraint cart_vouchers_theme foreign key (store_id, voucher_theme_id)
       references voucher_themes (store_id, id) on delete set null (voucher_theme_id)`,
  )
}

async function voucherWithdrawals(knex: Knex) {
  // The value that refunds withdrew from vouchers bought with the refunded order.
  await storeTable(
    knex,
    'voucher_withdrawals',
    `id uuid not null,
     refund_id uuid not null,
     voucher_id uuid not null,
     price_minor bigint not null check (price_minor > 0),
     amount_minor bigint not null check (amount_minor between 0 and price_minor),
     ends_use boolean not null,
     is_undone boolean not null default false,
     created_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, refund_id, voucher_id),
     foreign key (store_id, refund_id) references refunds (store_id, id),
     foreign key (store_id, voucher_id) references vouchers (store_id, id)`,
  )
  await knex.raw(`
    create index on cart_vouchers (store_id, cart_id);
    create index on cart_vouchers (store_id, voucher_theme_id);
    create index on voucher_withdrawals (store_id, voucher_id);
    -- Null for an order of vouchers alone, which are not shipped.
    alter table orders alter column shipping_method drop not null;
    alter table orders add column voucher_minor bigint not null default 0
      check (voucher_minor between 0 and total_minor);
    alter table refunds add column voucher_amount_minor bigint not null default 0,
      add check (voucher_amount_minor between 0 and amount_minor - gateway_amount_minor),
      -- The amount that a new voucher pays instead of money.
      add column credit_minor bigint not null default 0,
      add check (credit_minor = 0 or (credit_minor = amount_minor and voucher_amount_minor = 0)),
      -- The part that stays on the voucher when the refund fails after it has succeeded.
      add column kept_minor bigint not null default 0,
      add check (kept_minor = 0 or (kept_minor = voucher_amount_minor and status in ('failed', 'canceled')));
    create index on voucher_redemptions (store_id, voucher_id);
    create unique index on voucher_entries (store_id, voucher_id, number);
    create index on voucher_entries (store_id, order_id) where order_id is not null;
  `)
}
