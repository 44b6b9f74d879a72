import type { Knex } from 'knex'

/** Columns and indexes for reports: the tax class of what was sold, and the times of payments, refunds and returns. */
export async function up(knex: Knex) {
  // No foreign keys, because an order outlives its tax classes.
  await knex.raw(`
    alter table orders add shipping_tax_class_id uuid;
    alter table order_items add tax_class_id uuid;
    create index orders_paid on orders (store_id, paid_at) include (id, customer_id, currency, status)
      where paid_at is not null;
    create index refunds_settled on refunds (store_id, settled_at) where settled_at is not null;
    create index returns_received on returns (store_id, received_at) where received_at is not null;
  `)
}
