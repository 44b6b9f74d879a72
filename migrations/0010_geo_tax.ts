import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** The countries and geo zones of a store, its taxes, and the conditions of its shipping and payment methods. */
export async function up(knex: Knex) {
  await knex.raw(`
    alter table stores
      add country text check (country ~ '^[A-Z]{2}$'),
      add prices_include_tax boolean not null default false,
      add cross_border_prices text not null default 'keep_gross' check (cross_border_prices in ('keep_gross', 'keep_net')),
      add check (country is not null or not prices_include_tax)`)
  // A store sells to all countries except those in this table.
  await storeTable(
    knex,
    'closed_countries',
    `country text not null check (country ~ '^[A-Z]{2}$'),
     primary key (store_id, country)`,
  )
  await storeTable(
    knex,
    'geo_zones',
    `id uuid not null,
     name text not null,
     description text not null default '',
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id)`,
  )
  // An empty zone or postcode means any: a member without both is a whole country.
  await storeTable(
    knex,
    'geo_zone_members',
    `geo_zone_id uuid not null,
     country text not null check (country ~ '^[A-Z]{2}$'),
     zone text not null default '',
     postcode text not null default '',
     primary key (store_id, geo_zone_id, country, zone, postcode),
     foreign key (store_id, geo_zone_id) references geo_zones (store_id, id) on delete cascade`,
  )
  await knex.raw('create index on geo_zone_members (store_id, country, postcode)')
  await taxes(knex)
  await shipping(knex)
  await knex.raw(`
    alter table payment_methods
      drop constraint payment_methods_code_check,
      add check (code in ('card', 'bank_transfer', 'cash_on_delivery', 'sandbox')),
      add updated_at timestamptz not null default now();
    alter table payment_methods alter updated_at drop default;
  `)
}

async function taxes(knex: Knex) {
  await storeTable(
    knex,
    'tax_classes',
    `id uuid not null,
     name text not null,
     description text not null default '',
     is_default boolean not null default false,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id)`,
  )
  await knex.raw('create unique index tax_classes_default on tax_classes (store_id) where is_default')
  // rate_ppm is in parts per million: a percentage with four decimals as an integer.
  await storeTable(
    knex,
    'tax_rates',
    `id uuid not null,
     tax_class_id uuid not null,
     geo_zone_id uuid,
     name text not null,
     rate_ppm integer not null check (rate_ppm between 0 and 10000000),
     priority integer not null,
     is_compound boolean not null,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     foreign key (store_id, tax_class_id) references tax_classes (store_id, id),
     foreign key (store_id, geo_zone_id) references geo_zones (store_id, id)`,
  )
  // The keys are `not valid`, because checking the existing rows would require a store. None of them has a class yet.
  await knex.raw(`
    create index on tax_rates (store_id, geo_zone_id);
    create index on tax_rates (store_id, tax_class_id);
    alter table products
      add foreign key (store_id, tax_class_id) references tax_classes (store_id, id) not valid;
    create index on products (store_id, tax_class_id) where tax_class_id is not null;
    create index on shipping_methods (store_id, tax_class_id) where tax_class_id is not null;
    alter table orders add taxes jsonb not null default '[]';
    alter table shipping_methods
      add foreign key (store_id, tax_class_id) references tax_classes (store_id, id) not valid;
  `)
}

async function shipping(knex: Knex) {
  await storeTable(
    knex,
    'shipping_method_zones',
    `shipping_method_id uuid not null,
     geo_zone_id uuid not null,
     primary key (store_id, shipping_method_id, geo_zone_id),
     foreign key (store_id, shipping_method_id) references shipping_methods (store_id, id) on delete cascade,
     foreign key (store_id, geo_zone_id) references geo_zones (store_id, id)`,
  )
  await knex.raw(`
    create index on shipping_method_zones (store_id, geo_zone_id);
    alter table shipping_methods
      add free_from_minor bigint check (free_from_minor >= 0),
      add max_weight_grams integer check (max_weight_grams > 0),
      add created_at timestamptz not null default now(),
      add updated_at timestamptz not null default now();
    alter table shipping_methods alter created_at drop default, alter updated_at drop default;
  `)
  await knex.raw(COUNTRIES_TO_ZONES)
  await knex.raw('alter table shipping_methods drop countries')
}

// Row-level security also applies to migrations, so this one changes the stores one after another.
const COUNTRIES_TO_ZONES = `
  do $$
  declare
    store uuid;
    method record;
    zone uuid;
  begin
    for store in select id from stores loop
      perform set_config('app.store_id', store::text, true);
      for method in select * from shipping_methods where store_id = store and countries <> '{}' loop
        zone := gen_random_uuid();
        insert into geo_zones (store_id, id, name, created_at, updated_at)
        values (store, zone, method.code, now(), now());
        insert into geo_zone_members (store_id, geo_zone_id, country)
        select store, zone, c from unnest(method.countries) c group by c;
        insert into shipping_method_zones values (store, method.id, zone);
      end loop;
    end loop;
    perform set_config('app.store_id', '', true);
  end $$`
