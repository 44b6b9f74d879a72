import type { Knex } from 'knex'
import { storeTable } from './support/store-table.ts'

/** Where a store sells, and how it groups places. */
export async function up(knex: Knex) {
  // A country is open until someone closes it: what is kept is what the store does not sell to.
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
  // '' stands for any: a member without a zone is its whole country.
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
  await knex.raw('create index on geo_zone_members (store_id, country)')
}
