import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** Recurring plans, and the products that are sold by them. */
export async function up(knex: Knex) {
  const units = `('day', 'week', 'semi_month', 'month', 'year')`
  // A deleted plan stays: carts refer to it, and show its name.
  await storeTable(
    knex,
    'recurring_plans',
    `id uuid not null,
     name_i18n jsonb not null,
     price_minor bigint check (price_minor >= 0),
     duration integer not null check (duration > 0),
     duration_unit text not null check (duration_unit in ${units}),
     cycle integer not null check (cycle >= 0),
     trial_price_minor bigint check (trial_price_minor >= 0),
     trial_duration integer check (trial_duration > 0),
     trial_duration_unit text check (trial_duration_unit in ${units}),
     trial_cycle integer check (trial_cycle > 0),
     trial_max_quantity integer check (trial_max_quantity > 0),
     is_active boolean not null default true,
     sort_order integer not null default 0,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     deleted_at timestamptz,
     primary key (store_id, id),
     check (num_nonnulls(
       trial_price_minor, trial_duration, trial_duration_unit, trial_cycle, trial_max_quantity) in (0, 5))`,
  )
  await knex.raw(
    'create index on recurring_plans (store_id, sort_order, created_at, id) where deleted_at is null',
  )
  await storeTable(
    knex,
    'recurring_plan_products',
    `product_id uuid not null,
     recurring_plan_id uuid not null,
     primary key (store_id, product_id, recurring_plan_id),
     foreign key (store_id, product_id) references products (store_id, id),
     foreign key (store_id, recurring_plan_id) references recurring_plans (store_id, id)`,
  )
  await knex.raw(`
    create index on recurring_plan_products (store_id, recurring_plan_id);
    alter table cart_items
      add foreign key (store_id, recurring_plan_id) references recurring_plans (store_id, id) not valid;
    create index on cart_items (store_id, recurring_plan_id) where recurring_plan_id is not null;
  `)
}
