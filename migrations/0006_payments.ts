import type { Knex } from 'knex'
import { storeTable } from './support/store-table.ts'

/** Money in, and money back. Each row's id is its idempotency key at the gateway. */
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
     received_at timestamptz not null,
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
     shipping_amount_minor bigint not null default 0 check (shipping_amount_minor between 0 and amount_minor),
     currency char(3) not null,
     reason text,
     restock boolean not null default false,
     closes_order boolean not null default false,
     requested_by text not null,
     gateway_reference text,
     failure_reason text,
     first_sent_at timestamptz,
     created_at timestamptz not null,
     settled_at timestamptz,
     primary key (store_id, id),
     foreign key (store_id, order_id) references orders (store_id, id),
     foreign key (store_id, payment_id) references payments (store_id, id)`,
  )
  await knex.raw(`
    create index on refunds (store_id, order_id, id);
    -- Only one refund of an order can be under way.
    create unique index refunds_under_way on refunds (store_id, order_id)
      where status in ('pending', 'requires_action');
  `)
  await storeTable(
    knex,
    'refund_items',
    `refund_id uuid not null,
     order_item_id uuid not null,
     quantity integer not null check (quantity > 0),
     primary key (store_id, refund_id, order_item_id),
     foreign key (store_id, refund_id) references refunds (store_id, id),
     foreign key (store_id, order_item_id) references order_items (store_id, id)`,
  )
}
