import type { Knex } from 'knex'
import { overAllStores } from '#migrations/support/over-all-stores.ts'
import { storeTable } from '#migrations/support/store-table.ts'

/** Subscriptions, their charges and the trials that customers have used. Each charge is an order. */
export async function up(knex: Knex) {
  await subscriptions(knex)
  await subscriptionWords(knex)
  await subscriptionCharges(knex)
  await subscriptionPriceChanges(knex)
  await trialUses(knex)
  await queriesOverAllStores(knex)
}

async function subscriptions(knex: Knex) {
  await storeTable(
    knex,
    'subscriptions',
    `id uuid not null,
     customer_id uuid not null,
     status text not null check (status in
       ('pending', 'active', 'past_due', 'suspended', 'paused', 'canceled', 'completed', 'expired')),
     recurring_plan_id uuid not null,
     product_id uuid not null,
     variant_id uuid not null,
     name_i18n jsonb not null,
     sku text not null,
     quantity integer not null check (quantity > 0),
     unit_price_minor bigint not null check (unit_price_minor >= 0),
     price_quantity integer check (price_quantity > 0),
     next_price_minor bigint check (next_price_minor >= 0),
     next_price_quantity integer check (next_price_quantity > 0),
     next_price_from timestamptz,
     terms jsonb not null,
     currency char(3) not null,
     language text not null,
     firstname text not null,
     lastname text not null,
     telephone text not null,
     shipping_address jsonb not null,
     billing_address jsonb not null,
     shipping_method_id uuid,
     payment_method text not null,
     card jsonb,
     card_given_at timestamptz,
     started_at timestamptz not null,
     schedule_from timestamptz not null,
     position integer not null check (position >= 0),
     charge_no integer not null check (charge_no > 0),
     charges_left integer check (charges_left >= 0),
     next_charge_at timestamptz,
     due_at timestamptz,
     cancels_at_period_end boolean not null default false,
     paused_by_staff boolean not null default false,
     remind_at timestamptz,
     reminded_for timestamptz,
     ended_at timestamptz,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     foreign key (store_id, customer_id) references customers (store_id, id),
     foreign key (store_id, recurring_plan_id) references recurring_plans (store_id, id),
     foreign key (store_id, variant_id) references product_variants (store_id, id),
     check ((status in ('canceled', 'completed', 'expired')) = (ended_at is not null)),
     check (due_at is null or status in ('pending', 'active', 'past_due')),
     check ((status = 'active') <= (next_charge_at is not null)),
     check ((next_price_minor is null) = (next_price_from is null)),
     check (remind_at is null or status = 'active')`,
  )
  await knex.raw(`
    create index on subscriptions (store_id, due_at) where due_at is not null;
    create index on subscriptions (store_id, remind_at) where remind_at is not null;
    create index on subscriptions (store_id, created_at desc, id desc);
    create index on subscriptions (store_id, updated_at, id);
    create index on subscriptions (store_id, status, created_at desc);
    create index on subscriptions (store_id, next_charge_at) where next_charge_at is not null;
    create index on subscriptions (store_id, customer_id, created_at desc);
    create index on subscriptions (store_id, recurring_plan_id, id);
    create index on subscriptions (store_id, variant_id);
  `)
}

async function subscriptionWords(knex: Knex) {
  // Row-level security keeps PostgreSQL from using trigram indexes. Searches compare texts by this primary key.
  await storeTable(
    knex,
    'subscription_words',
    `word text collate "C" not null,
     subscription_id uuid not null,
     primary key (store_id, word, subscription_id),
     foreign key (store_id, subscription_id) references subscriptions (store_id, id) on delete cascade`,
  )
  await knex.raw('create index on subscription_words (store_id, subscription_id)')
}

async function subscriptionCharges(knex: Knex) {
  await storeTable(
    knex,
    'subscription_charges',
    `id uuid not null,
     subscription_id uuid not null,
     charge_no integer not null check (charge_no > 0),
     -- Null while no order could be placed, e.g. because the stock is short.
     order_id uuid,
     payment_id uuid,
     attempts integer not null default 0,
     failure_kind text check (failure_kind in ('order', 'gateway')),
     failure_reason text,
     first_failed_at timestamptz,
     next_attempt_at timestamptz,
     settled_at timestamptz,
     created_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, subscription_id, charge_no),
     foreign key (store_id, subscription_id) references subscriptions (store_id, id),
     foreign key (store_id, order_id) references orders (store_id, id),
     check ((attempts > 0) = (first_failed_at is not null)),
     check ((failure_kind is null) = (failure_reason is null))`,
  )
  await knex.raw(`
    create index on subscription_charges (store_id, order_id);
    -- A subscription has one charge at a time.
    create unique index on subscription_charges (store_id, subscription_id) where settled_at is null;
  `)
}

async function subscriptionPriceChanges(knex: Knex) {
  await storeTable(
    knex,
    'subscription_price_changes',
    `id uuid not null,
     recurring_plan_id uuid not null,
     price_minor bigint check (price_minor >= 0),
     starts_at timestamptz not null,
     last_subscription_id uuid,
     finished_at timestamptz,
     created_at timestamptz not null,
     primary key (store_id, id),
     foreign key (store_id, recurring_plan_id) references recurring_plans (store_id, id)`,
  )
  await knex.raw('create index on subscription_price_changes (store_id, recurring_plan_id)')
}

async function trialUses(knex: Knex) {
  await storeTable(
    knex,
    'trial_uses',
    `id uuid not null,
     recurring_plan_id uuid not null,
     customer_id uuid not null,
     order_id uuid not null,
     created_at timestamptz not null,
     released_at timestamptz,
     primary key (store_id, id),
     unique (store_id, order_id, recurring_plan_id),
     foreign key (store_id, recurring_plan_id) references recurring_plans (store_id, id),
     foreign key (store_id, customer_id) references customers (store_id, id),
     foreign key (store_id, order_id) references orders (store_id, id)`,
  )
  await knex.raw(`
    create unique index on trial_uses (store_id, customer_id, recurring_plan_id) where released_at is null;
    create index on trial_uses (store_id, recurring_plan_id);
    create index on trial_uses (store_id, customer_id);
  `)
}

async function queriesOverAllStores(knex: Knex) {
  await overAllStores(knex, 'subscriptions_due', {
    args: 'at timestamptz, max_rows integer',
    columns: 'store_id uuid, subscription_id uuid',
    // A suspended or deleted store charges nobody. A store that is active again charges what is at most a day overdue.
    query: `select s.store_id, s.id from subscriptions s
      where s.store_id = store and s.due_at <= at
        and exists (select from stores where id = store and status = 'active')
      order by s.due_at limit max_rows`,
  })
  await overAllStores(knex, 'reminders_due', {
    args: 'at timestamptz, max_rows integer',
    columns: 'store_id uuid, subscription_id uuid',
    query: `select s.store_id, s.id from subscriptions s
      where s.store_id = store and s.remind_at <= at
        and exists (select from stores where id = store and status = 'active')
      order by s.remind_at limit max_rows`,
  })
}
