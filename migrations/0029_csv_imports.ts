import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** Imports of CSV files, the files, and the reports of their faults. */
export async function up(knex: Knex) {
  await importJobs(knex)
  await importChunks(knex)
  await importKeys(knex)
  await importNotes(knex)
}

async function importJobs(knex: Knex) {
  await storeTable(
    knex,
    'import_jobs',
    `id uuid not null,
     kind text not null check (kind in ('products', 'customers')),
     status text not null check (status in ('uploading', 'queued', 'running', 'succeeded', 'failed')),
     dry_run boolean not null default false,
     settings jsonb not null default '{}',
     columns text[],
     format text,
     encoding text,
     delimiter text,
     ignored_columns text[] not null default '{}',
     rows_ignored integer not null default 0,
     bytes_total integer not null default 0,
     bytes_done integer not null default 0,
     lines_done integer not null default 0,
     slice integer not null default 0,
     attempted_byte integer,
     attempts integer not null default 0,
     counts jsonb not null default '{}',
     error_count integer not null default 0,
     warning_count integer not null default 0,
     failure text,
     created_by uuid,
     created_at timestamptz not null,
     started_at timestamptz,
     finished_at timestamptz,
     primary key (store_id, id)`,
  )
  await knex.raw('create index on import_jobs (store_id, kind, created_at, id)')
}

async function importChunks(knex: Knex) {
  await storeTable(
    knex,
    'import_chunks',
    `job_id uuid not null,
     position integer not null,
     bytes bytea not null,
     primary key (store_id, job_id, position),
     foreign key (store_id, job_id) references import_jobs (store_id, id) on delete cascade`,
  )
}

async function importKeys(knex: Knex) {
  // The keys of the rows that were read so far, so that a dry run also finds a repeated key. They are deleted with the
  // file. No foreign key, because it would be checked for each row of the file.
  await storeTable(
    knex,
    'import_keys',
    `job_id uuid not null,
     key text not null,
     record text not null,
     line integer not null,
     details json not null,
     primary key (store_id, job_id, key)`,
  )
  await knex.raw('create index on import_keys (store_id, job_id, record)')
}

async function importNotes(knex: Knex) {
  await storeTable(
    knex,
    'import_notes',
    `id uuid not null,
     job_id uuid not null,
     severity text not null check (severity in ('error', 'warning')),
     line integer not null,
     field text,
     message text not null,
     value text,
     primary key (store_id, id),
     foreign key (store_id, job_id) references import_jobs (store_id, id) on delete cascade`,
  )
  await knex.raw('create index on import_notes (store_id, job_id, line, id)')
}
