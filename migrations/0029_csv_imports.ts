import type { Knex } from 'knex'

/** How the file of an import is read, and what its report says beside errors. */
export async function up(knex: Knex) {
  await knex.raw(`
    alter table catalog_jobs
      drop constraint catalog_jobs_kind_check,
      add check (kind in ('import', 'customers')),
      add column format text,
      add column encoding text,
      add column delimiter text,
      add column settings jsonb not null default '{}',
      add column ignored_columns text[] not null default '{}',
      add column rows_ignored integer not null default 0,
      add column products_changed integer not null default 0,
      add column variants_changed integer not null default 0,
      add column customers_created integer not null default 0,
      add column customers_updated integer not null default 0,
      add column customers_changed integer not null default 0,
      add column warning_count integer not null default 0;
    create index catalog_jobs_listed on catalog_jobs (store_id, kind, created_at, id);
    alter table catalog_job_errors add column severity text not null default 'error'
      check (severity in ('error', 'warning'));
  `)
}
