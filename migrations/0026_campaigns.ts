import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** Campaigns, the codes of their links, the visits by these links with their counts, and the campaign of an order. */
export async function up(knex: Knex) {
  await campaigns(knex)
  await trackingCodes(knex)
  await campaignVisits(knex)
  await campaignVisitDays(knex)
}

async function campaigns(knex: Knex) {
  await storeTable(
    knex,
    'campaigns',
    `id uuid not null,
     name text not null,
     code text not null,
     description text,
     landing_url text,
     is_active boolean not null default true,
     starts_at timestamptz,
     ends_at timestamptz,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     deleted_at timestamptz,
     primary key (store_id, id),
     check (ends_at > starts_at)`,
  )
  await knex.raw('create index on campaigns (store_id, created_at desc, id desc) where deleted_at is null')
}

async function trackingCodes(knex: Knex) {
  // The codes of all links of a store, each with the campaign or the affiliate that it counts for. Clicks read only
  // this table, so it repeats the period in which the code counts.
  await storeTable(
    knex,
    'tracking_codes',
    `id uuid not null,
     kind text not null check (kind in ('campaign', 'affiliate')),
     code_folded text not null,
     customer_id uuid,
     is_active boolean not null,
     starts_at timestamptz,
     ends_at timestamptz,
     primary key (store_id, id),
     foreign key (store_id, customer_id) references customers (store_id, id)`,
  )
  await knex.raw(`
    create unique index tracking_codes_code on tracking_codes (store_id, code_folded);
    create index on tracking_codes (store_id, customer_id) where customer_id is not null;
  `)
}

async function campaignVisits(knex: Knex) {
  // One row for each visitor, link and day, kept while an order can be credited to it. No foreign key, because each
  // click would lock the row of its campaign. The primary key finds the clicks of a visitor, and the visitor's previous
  // day by the same link.
  await storeTable(
    knex,
    'campaign_visits',
    `source_id uuid not null,
     day date not null,
     visitor bytea not null,
     clicked_at timestamptz not null,
     primary key (store_id, visitor, source_id, day)`,
  )
  // A later click of the day changes only clicked_at, which no index contains. The fill factor leaves room to update
  // the row within its page.
  await knex.raw(`
    alter table campaign_visits set (fillfactor = 90);
    create index on campaign_visits (store_id, day);
  `)
}

async function campaignVisitDays(knex: Knex) {
  await storeTable(
    knex,
    'campaign_visit_days',
    `source_id uuid not null,
     day date not null,
     visits integer not null check (visits >= 0),
     primary key (store_id, source_id, day)`,
  )
  // The visits of a day by returning visitors, by the day of their previous visit. The number of visitors in a period
  // is the number of its visits less those whose previous day is also in the period.
  await storeTable(
    knex,
    'campaign_return_visits',
    `source_id uuid not null,
     day date not null,
     previous_day date not null check (previous_day < day),
     visits integer not null check (visits > 0),
     primary key (store_id, source_id, day, previous_day)`,
  )
  // Clicks change the counts of today, which no index contains. The fill factor leaves room to update a row within its
  // page.
  await knex.raw(`
    alter table campaign_visit_days set (fillfactor = 50);
    alter table campaign_return_visits set (fillfactor = 50);
  `)
  await knex.raw('create index on campaign_visit_days (store_id, day)')
  // Unlogged, so that neither the write-ahead log nor a base backup contains a deleted salt. A crash deletes all salts.
  await knex.raw(`
    create unlogged table visitor_salts (day date primary key, salt bytea not null);
    alter table orders add column campaign_id uuid;
    alter table orders add constraint orders_campaign
      foreign key (store_id, campaign_id) references campaigns (store_id, id) not valid;
    create index orders_campaign_id on orders (store_id, campaign_id, created_at) where campaign_id is not null;
  `)
}
