import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** Payments and refunds. Each row's id is its idempotency key at the gateway. */
export async function up(knex: Knex) {
  await storeTable(
    knex,
    'payments',
    `id uuid not null,
     order_id uuid not null,
     provider text not null,
     status text not null
       check (status in ('pending', 'requires_action', 'authorized', 'captured', 'failed', 'canceled')),
     amount_minor bigint not null check (amount_minor > 0),
     currency char(3) not null,
     gateway_reference text,
     client_secret text,
     failure_reason text,
     expires_at timestamptz,
     captured_at timestamptz,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, provider, gateway_reference),
     foreign key (store_id, order_id) references orders (store_id, id)`,
  )
  await knex.raw('create index on payments (store_id, order_id, id)')
  await storeTable(
    knex,
    'payment_notifications',
    `provider text not null,
     notification_id text not null,
     type text not null,
     payload jsonb not null,
     received_at timestamptz not null,
     handled_at timestamptz,
     primary key (store_id, provider, notification_id)`,
  )
  await storeTable(
    knex,
    'refunds',
    `id uuid not null,
     order_id uuid not null,
     payment_id uuid,
     status text not null check (status in ('pending', 'requires_action', 'succeeded', 'failed', 'canceled')),
     amount_minor bigint not null check (amount_minor > 0),
     gateway_amount_minor bigint not null check (gateway_amount_minor between 0 and amount_minor),
     shipping_amount_minor bigint not null default 0 check (shipping_amount_minor between 0 and amount_minor),
     currency char(3) not null,
     reason text,
     restock boolean not null default false,
     requested_by text not null,
     gateway_reference text,
     failure_reason text,
     first_sent_at timestamptz,
     created_at timestamptz not null,
     settled_at timestamptz,
     primary key (store_id, id),
     foreign key (store_id, order_id) references orders (store_id, id),
     foreign key (store_id, payment_id) references payments (store_id, id),
     check ((payment_id is null) = (gateway_amount_minor = 0))`,
  )
  await knex.raw(`
    create index on refunds (store_id, order_id, id);
    -- An order has at most one refund in progress.
    create unique index refunds_in_progress on refunds (store_id, order_id)
      where status in ('pending', 'requires_action');
  `)
  await storeTable(
    knex,
    'refund_items',
    `id uuid not null,
     refund_id uuid not null,
     order_item_id uuid not null,
     quantity integer not null check (quantity > 0),
     primary key (store_id, id),
     unique (store_id, refund_id, order_item_id),
     foreign key (store_id, refund_id) references refunds (store_id, id),
     foreign key (store_id, order_item_id) references order_items (store_id, id)`,
  )
  await knex.raw(REFUNDS_IN_PROGRESS)
}

// Row-level security allows no query over all stores. This function reads one store after another in one call: each
// costs one probe of a partial index that holds only refunds in progress, so it is nearly empty.
const REFUNDS_IN_PROGRESS = `
  create function refunds_in_progress(created_before timestamptz)
  returns table (store_id uuid, refund_id uuid) language plpgsql as $$
  declare
    store uuid;
  begin
    for store in select id from stores loop
      perform set_config('app.store_id', store::text, true);
      return query
        select r.store_id, r.id from refunds r
        where r.store_id = store and r.status in ('pending', 'requires_action') and r.created_at < created_before;
    end loop;
  end $$`
