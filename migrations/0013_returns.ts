import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** Returns and their lines. The name and address of a return's buyer are those of its order. */
export async function up(knex: Knex) {
  await returns(knex)
  await returnWords(knex)
  await returnItems(knex)
}

async function returns(knex: Knex) {
  await storeTable(
    knex,
    'returns',
    `id uuid not null,
     number text not null,
     order_id uuid not null,
     customer_id uuid,
     status text not null
       check (status in ('requested', 'approved', 'received', 'completed', 'rejected', 'canceled')),
     action text not null check (action in ('refund', 'credit', 'replacement', 'none')),
     comment text,
     message text,
     metadata jsonb not null default '{}',
     requested_by text not null,
     refund_id uuid,
     voucher_id uuid,
     replacement_order_id uuid,
     approved_at timestamptz,
     received_at timestamptz,
     restocked_at timestamptz,
     closed_at timestamptz,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, number),
     unique (store_id, refund_id),
     unique (store_id, replacement_order_id),
     foreign key (store_id, order_id) references orders (store_id, id),
     foreign key (store_id, customer_id) references customers (store_id, id),
     foreign key (store_id, refund_id) references refunds (store_id, id),
     foreign key (store_id, voucher_id) references vouchers (store_id, id),
     foreign key (store_id, replacement_order_id) references orders (store_id, id),
     check ((status in ('received', 'completed')) = (received_at is not null)),
     check ((status in ('completed', 'rejected', 'canceled')) = (closed_at is not null)),
     check (received_at is not null or coalesce(refund_id, replacement_order_id) is null and restocked_at is null)`,
  )
  await knex.raw(`
    create index on returns (store_id, created_at desc, id desc);
    create index on returns (store_id, updated_at, id);
    create index on returns (store_id, status, created_at desc);
    create index on returns (store_id, customer_id, created_at desc);
    create index on returns (store_id, order_id);
    create index on returns (store_id, voucher_id) where voucher_id is not null;
  `)
}

async function returnWords(knex: Knex) {
  // Row-level security keeps PostgreSQL from using trigram indexes. Searches compare texts by this primary key.
  await storeTable(
    knex,
    'return_words',
    `word text collate "C" not null,
     return_id uuid not null,
     primary key (store_id, word, return_id),
     foreign key (store_id, return_id) references returns (store_id, id) on delete cascade`,
  )
  await knex.raw('create index on return_words (store_id, return_id)')
}

async function returnItems(knex: Knex) {
  await storeTable(
    knex,
    'return_items',
    `id uuid not null,
     return_id uuid not null,
     order_item_id uuid not null,
     position integer not null,
     quantity integer not null check (quantity > 0),
     reason text not null,
     condition text,
     note text,
     disposition text check (disposition in ('restocked', 'not_restocked', 'missing')),
     primary key (store_id, id),
     foreign key (store_id, return_id) references returns (store_id, id) on delete cascade,
     foreign key (store_id, order_item_id) references order_items (store_id, id)`,
  )
  await knex.raw(`
    create index on return_items (store_id, return_id, position);
    create index on return_items (store_id, order_item_id);
  `)
}
