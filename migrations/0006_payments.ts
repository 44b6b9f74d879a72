import type { Knex } from 'knex'
import { overAllStores } from '#migrations/support/over-all-stores.ts'
import { storeTable } from '#migrations/support/store-table.ts'

/** Payments, surpluses, refunds and disputes. The id of a payment or refund is its idempotency key at the gateway. */
export async function up(knex: Knex) {
  await payments(knex)
  await cardSetups(knex)
  await paymentReferences(knex)
  await gatewayCustomers(knex)
  await savedCards(knex)
  await surpluses(knex)
  await paymentNotifications(knex)
  await disputes(knex)
  await refunds(knex)
  await refundItems(knex)
  await queriesOverAllStores(knex)
}

async function payments(knex: Knex) {
  await storeTable(
    knex,
    'payments',
    `id uuid not null,
     order_id uuid not null,
     provider text not null,
     status text not null
       check (status in ('pending', 'requires_action', 'authorized', 'mismatched', 'captured', 'failed', 'canceled')),
     amount_minor bigint not null check (amount_minor > 0),
     currency char(3) not null,
     -- What the gateway captured: it can differ from what was requested.
     captured_minor bigint check (captured_minor > 0),
     captured_currency char(3),
     gateway_reference text,
     -- save: its card is saved for later charges. saved: it charges a saved card without the buyer.
     card_use text check (card_use in ('save', 'saved')),
     -- The saved card. With the card_use 'save' it is null until the card is known.
     card_reference text,
     -- When the charge of a saved card was last sent to the gateway.
     sent_at timestamptz,
     -- Since when the gateway can no longer capture or cancel it.
     closed_at_gateway timestamptz,
     read_at timestamptz,
     client_secret text,
     -- The network of the buyer's address, while the payment is open. Declined cards are counted by network.
     payer_network text,
     failure_reason text,
     -- Who recorded a payment outside a gateway.
     recorded_by text,
     expires_at timestamptz,
     captured_at timestamptz,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, provider, gateway_reference),
     foreign key (store_id, order_id) references orders (store_id, id),
     check (card_use <> 'saved' or card_reference is not null),
     check (sent_at is null or card_use = 'saved'),
     check ((captured_minor is null) = (captured_currency is null)),
     check ((status in ('mismatched', 'captured')) = (captured_minor is not null))`,
  )
  await knex.raw(`
    create index on payments (store_id, order_id, id);
    create index payments_open_at_gateway on payments (store_id, created_at)
      where (gateway_reference is not null or sent_at is not null) and closed_at_gateway is null;
    create index payments_mismatched on payments (store_id, order_id) where status = 'mismatched';
    create index payments_charging on payments (store_id, created_at) where status = 'pending' and card_use = 'saved';
    create index payments_with_card_to_save on payments (store_id, captured_at)
      where card_use = 'save' and captured_at is not null and card_reference is null;
  `)
}

async function cardSetups(knex: Knex) {
  await storeTable(
    knex,
    'card_setups',
    `id uuid not null,
     customer_id uuid not null,
     -- What needs the card: a free first order, or a subscription that gets another card.
     order_id uuid,
     subscription_id uuid,
     provider text not null,
     status text not null check (status in ('pending', 'requires_action', 'succeeded', 'canceled', 'failed')),
     gateway_reference text,
     client_secret text,
     -- The network of the buyer's address, while the setup is open. Declined cards are counted by network.
     payer_network text,
     card_reference text,
     failure_reason text,
     expires_at timestamptz not null,
     -- Since when the gateway can no longer complete it.
     closed_at_gateway timestamptz,
     read_at timestamptz,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, provider, gateway_reference),
     foreign key (store_id, customer_id) references customers (store_id, id),
     foreign key (store_id, order_id) references orders (store_id, id),
     check ((order_id is null) <> (subscription_id is null)),
     check ((status = 'succeeded') = (card_reference is not null))`,
  )
  await knex.raw(`
    create index on card_setups (store_id, order_id);
    create index on card_setups (store_id, subscription_id);
    create index on card_setups (store_id, customer_id);
    create index card_setups_open_at_gateway on card_setups (store_id, created_at)
      where gateway_reference is not null and closed_at_gateway is null;
  `)
}

// A gateway's notification names an object of the gateway and no store. This table finds the store.
async function paymentReferences(knex: Knex) {
  await knex.raw(`
    create table payment_references (
      provider text not null,
      reference text not null,
      store_id uuid not null references stores (id),
      payment_id uuid,
      setup_id uuid,
      primary key (provider, reference),
      foreign key (store_id, payment_id) references payments (store_id, id) on delete cascade,
      foreign key (store_id, setup_id) references card_setups (store_id, id) on delete cascade,
      check ((payment_id is null) <> (setup_id is null))
    );
    create index on payment_references (store_id, payment_id);
    create index on payment_references (store_id, setup_id);
    -- The notifications of a gateway up to this time have been read.
    create table notification_cursors (
      provider text primary key,
      read_until timestamptz not null
    );
  `)
}

async function gatewayCustomers(knex: Knex) {
  await storeTable(
    knex,
    'gateway_customers',
    `customer_id uuid not null,
     provider text not null,
     reference text not null,
     created_at timestamptz not null,
     primary key (store_id, customer_id, provider),
     unique (store_id, provider, reference),
     foreign key (store_id, customer_id) references customers (store_id, id)`,
  )
}

async function savedCards(knex: Knex) {
  await storeTable(
    knex,
    'saved_cards',
    `reference text not null,
     customer_id uuid not null,
     brand text not null,
     last4 text not null,
     exp_month integer not null,
     exp_year integer not null,
     created_at timestamptz not null,
     primary key (store_id, reference),
     foreign key (store_id, customer_id) references customers (store_id, id)`,
  )
  await knex.raw('create index on saved_cards (store_id, customer_id)')
}

async function surpluses(knex: Knex) {
  await storeTable(
    knex,
    'surpluses',
    `id uuid not null,
     order_id uuid not null,
     payment_id uuid not null,
     reason text not null check (reason in ('paid_twice', 'order_canceled', 'order_not_fulfillable', 'overpaid', 'rejected')),
     status text not null check (status in ('owed', 'returned')),
     amount_minor bigint not null check (amount_minor > 0),
     returned_minor bigint not null default 0 check (returned_minor between 0 and amount_minor),
     currency char(3) not null,
     attempts integer not null default 0,
     next_attempt_at timestamptz,
     failure_reason text,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, payment_id),
     foreign key (store_id, order_id) references orders (store_id, id),
     foreign key (store_id, payment_id) references payments (store_id, id),
     check ((status = 'returned') = (returned_minor = amount_minor))`,
  )
  await knex.raw(`
    create index on surpluses (store_id, order_id, id);
    create index surpluses_owed on surpluses (store_id, next_attempt_at) where status = 'owed';
  `)
}

async function paymentNotifications(knex: Knex) {
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
  await knex.raw(`
    create index notifications_unhandled on payment_notifications (store_id, received_at) where handled_at is null`)
}

async function disputes(knex: Knex) {
  await storeTable(
    knex,
    'disputes',
    `id uuid not null,
     order_id uuid not null,
     payment_id uuid not null,
     status text not null check (status in ('needs_response', 'under_review', 'won', 'lost', 'closed')),
     reason text not null,
     amount_minor bigint not null check (amount_minor > 0),
     currency char(3) not null,
     gateway_reference text not null,
     respond_by timestamptz,
     opened_at timestamptz not null,
     closed_at timestamptz,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, gateway_reference),
     foreign key (store_id, order_id) references orders (store_id, id),
     foreign key (store_id, payment_id) references payments (store_id, id),
     check ((closed_at is null) = (status in ('needs_response', 'under_review')))`,
  )
  await knex.raw(`
    create index on disputes (store_id, order_id, id);
    create index on disputes (store_id, payment_id);
  `)
}

async function refunds(knex: Knex) {
  await storeTable(
    knex,
    'refunds',
    `id uuid not null,
     order_id uuid not null,
     payment_id uuid,
     -- store: the store refunds the order. surplus: a surplus goes back. gateway: made at the gateway itself.
     -- dispute: the bank took the money back.
     origin text not null default 'store' check (origin in ('store', 'surplus', 'gateway', 'dispute')),
     surplus_id uuid,
     dispute_id uuid,
     status text not null check (status in ('pending', 'requires_action', 'succeeded', 'failed', 'canceled')),
     -- 0 for a refund at the gateway of less than a minor unit, by which an earlier refund was rounded up.
     amount_minor bigint not null check (amount_minor > 0 or (amount_minor = 0 and origin = 'gateway')),
     -- The part that returns the surplus; the rest refunds the order.
     surplus_minor bigint not null default 0,
     -- The part beyond what surplus and order had left: a gateway can pay back more than the books allow.
     excess_minor bigint not null default 0 check (excess_minor between 0 and amount_minor),
     gateway_amount_minor bigint not null check (gateway_amount_minor between 0 and amount_minor),
     -- By how much gateway_amount_minor exceeds what the gateway paid, in millionths of a minor unit.
     rounded_up_ppm integer not null default 0 check (abs(rounded_up_ppm) < 1000000),
     rounding_minor bigint not null default 0,
     shipping_amount_minor bigint not null default 0,
     currency char(3) not null,
     reason text,
     restock boolean not null default false,
     -- Whether it refunds a return, whose units were shipped.
     is_return boolean not null default false,
     requested_by text not null,
     gateway_reference text,
     failure_reason text,
     first_sent_at timestamptz,
     created_at timestamptz not null,
     settled_at timestamptz,
     primary key (store_id, id),
     foreign key (store_id, order_id) references orders (store_id, id),
     foreign key (store_id, payment_id) references payments (store_id, id),
     foreign key (store_id, surplus_id) references surpluses (store_id, id),
     foreign key (store_id, dispute_id) references disputes (store_id, id),
     check (shipping_amount_minor between 0 and amount_minor - rounding_minor),
     check (payment_id is not null or gateway_amount_minor = 0),
     check (payment_id is null or gateway_amount_minor > 0 or amount_minor = 0),
     check (origin <> 'surplus' or surplus_id is not null),
     check (surplus_minor >= 0 and surplus_minor + excess_minor <= amount_minor),
     check (surplus_minor = 0 or surplus_id is not null),
     check ((origin = 'dispute') = (dispute_id is not null))`,
  )
  await knex.raw(`
    create index on refunds (store_id, order_id, id);
    create index on refunds (store_id, payment_id) where payment_id is not null;
    create index on refunds (store_id, surplus_id) where surplus_id is not null;
    create index on refunds (store_id, dispute_id) where dispute_id is not null;
    -- A store has at most one refund of an order in progress, and one return of a surplus.
    create unique index refunds_in_progress on refunds (store_id, order_id)
      where status in ('pending', 'requires_action') and origin = 'store';
    create unique index surplus_returns_in_progress on refunds (store_id, surplus_id)
      where status in ('pending', 'requires_action') and origin = 'surplus';
    create unique index refunds_by_reference on refunds (store_id, gateway_reference);
    -- Failed refunds do not count: a dispute's refund fails when the bank no longer decides for the buyer.
    create unique index refunds_of_disputes on refunds (store_id, dispute_id) where status <> 'failed';
    create index refunds_failed on refunds (store_id, order_id, id) where origin = 'store' and status in ('failed', 'canceled');
    create index refunds_unsettled on refunds (store_id, created_at) where status in ('pending', 'requires_action');
  `)
}

async function refundItems(knex: Knex) {
  await storeTable(
    knex,
    'refund_items',
    `id uuid not null,
     refund_id uuid not null,
     order_item_id uuid not null,
     quantity integer not null check (quantity > 0),
     -- The exact price of the units.
     amount_minor bigint not null check (amount_minor >= 0),
     withdrawn_quantity integer not null default 0 check (withdrawn_quantity between 0 and quantity),
     restocked_quantity integer not null default 0
       check (restocked_quantity between 0 and quantity - withdrawn_quantity),
     primary key (store_id, id),
     unique (store_id, refund_id, order_item_id),
     foreign key (store_id, refund_id) references refunds (store_id, id),
     foreign key (store_id, order_item_id) references order_items (store_id, id)`,
  )
  await knex.raw('create index on refund_items (store_id, order_item_id)')
}

async function queriesOverAllStores(knex: Knex) {
  await overAllStores(knex, 'refunds_in_progress', {
    args: 'created_before timestamptz',
    columns: 'store_id uuid, refund_id uuid',
    query: `select r.store_id, r.id from refunds r
      where r.store_id = store and r.status in ('pending', 'requires_action') and r.created_at < created_before`,
  })
  await overAllStores(knex, 'surpluses_due', {
    args: 'due_before timestamptz',
    columns: 'store_id uuid, surplus_id uuid',
    query: `select s.store_id, s.id from surpluses s
      where s.store_id = store and s.status = 'owed' and s.next_attempt_at < due_before`,
  })
  await overAllStores(knex, 'payments_open_at_gateway', {
    // A payment is read at min_age, and again whenever its age at the last read has doubled.
    args: 'at timestamptz, min_age interval, max_rows integer',
    columns: 'store_id uuid, payment_id uuid',
    query: `select p.store_id, p.id from payments p
      where p.store_id = store and (p.gateway_reference is not null or p.sent_at is not null)
        and p.closed_at_gateway is null
        and p.created_at <= at - min_age
        and (p.read_at is null or p.read_at + (p.read_at - p.created_at) <= at)
      order by p.created_at limit max_rows`,
  })
  await overAllStores(knex, 'orders_overdue', {
    // An order with a mismatched payment waits for the decision of staff.
    args: 'at timestamptz, max_rows integer',
    columns: 'store_id uuid, order_id uuid',
    // A failed order can be paid with another card as long as one of its payments is open at the gateway.
    query: `select o.store_id, o.id from (
        select pending.id, pending.store_id, pending.expires_at from orders pending
        where pending.store_id = store and pending.status = 'pending' and pending.expires_at <= at
        union all
        select failed.id, failed.store_id, failed.expires_at from (
          select p.order_id from payments p
          where p.store_id = store and (p.gateway_reference is not null or p.sent_at is not null)
            and p.closed_at_gateway is null and p.status not in ('canceled', 'captured')
          union
          select c.order_id from card_setups c
          where c.store_id = store and c.gateway_reference is not null and c.closed_at_gateway is null
            and c.status <> 'canceled') open
        join orders failed on failed.store_id = store and failed.id = open.order_id
        where failed.status = 'failed' and failed.expires_at <= at) o
      where not exists (
        select from payments p where p.store_id = store and p.order_id = o.id and p.status = 'mismatched')
      order by o.expires_at limit max_rows`,
  })
  await overAllStores(knex, 'holds_ended', {
    args: 'at timestamptz, max_rows integer',
    columns: 'store_id uuid, order_id uuid',
    query: `select o.store_id, o.id from orders o
      where o.store_id = store and o.status in ('pending', 'failed') and o.hold_until <= at
      order by o.hold_until limit max_rows`,
  })
  await overAllStores(knex, 'charges_to_send', {
    args: 'created_before timestamptz, max_rows integer',
    columns: 'store_id uuid, payment_id uuid',
    query: `select p.store_id, p.id from payments p
      where p.store_id = store and p.status = 'pending' and p.card_use = 'saved' and p.created_at < created_before
      order by p.created_at limit max_rows`,
  })
  await overAllStores(knex, 'cards_to_save', {
    args: 'captured_after timestamptz, captured_before timestamptz, max_rows integer',
    columns: 'store_id uuid, payment_id uuid',
    query: `select p.store_id, p.id from payments p
      where p.store_id = store and p.card_use = 'save' and p.card_reference is null
        and p.captured_at > captured_after and p.captured_at < captured_before
      order by p.captured_at limit max_rows`,
  })
  await overAllStores(knex, 'card_setups_open_at_gateway', {
    args: 'at timestamptz, min_age interval, max_rows integer',
    columns: 'store_id uuid, setup_id uuid',
    query: `select c.store_id, c.id from card_setups c
      where c.store_id = store and c.gateway_reference is not null and c.closed_at_gateway is null
        and c.created_at <= at - min_age
        and (c.read_at is null or c.read_at + (c.read_at - c.created_at) <= at)
      order by c.created_at limit max_rows`,
  })
  await overAllStores(knex, 'notifications_unhandled', {
    args: 'received_after timestamptz, received_before timestamptz, max_rows integer',
    columns: 'store_id uuid, provider text, notification_id text',
    query: `select n.store_id, n.provider, n.notification_id from payment_notifications n
      where n.store_id = store and n.handled_at is null
        and n.received_at > received_after and n.received_at < received_before
      order by n.received_at limit max_rows`,
  })
}
