import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** Audit logs: a chain of entries for each store, and one of the platform for the changes of super-admins. */
export async function up(knex: Knex) {
  const columns = `
    sequence bigint not null,
    created_at timestamptz not null,
    actor_type text not null check (actor_type in ('staff', 'api_token', 'super_admin')),
    actor_id uuid not null,
    actor_email text,
    session_id uuid,
    ip text not null,
    request_id text not null,
    action text not null,
    resource_type text not null,
    resource_id text,
    before jsonb,
    after jsonb,
    -- The personal data of before and after, encrypted with the record's key in audit_keys.
    sealed text,
    previous_hash bytea not null,
    hash bytea not null,
    key_id text not null,
    proof bytea not null`
  await storeTable(knex, 'audit_entries', `${columns}, primary key (store_id, sequence)`)
  await storeTable(
    knex,
    'audit_keys',
    `resource_type text not null,
     resource_id text not null,
     id uuid not null,
     sealed_key text not null,
     created_at timestamptz not null,
     primary key (store_id, resource_type, resource_id)`,
  )
  // The end of each chain. A change locks the row right before its commit, so each entry has its place in the chain.
  // `proof` is made with the key `key_id`. It proves that the service wrote this row, as an entry's proof does for the
  // entry.
  const head = 'sequence bigint not null, hash bytea not null, key_id text, proof bytea'
  await storeTable(knex, 'audit_heads', `${head}, primary key (store_id)`)
  // The platform's entries outlive the stores that they are about, so they have no foreign key to stores.
  await knex.raw(`
    create index on audit_entries (store_id, actor_id, sequence);
    create index on audit_entries (store_id, resource_type, resource_id, sequence);
    create index on audit_entries (store_id, resource_id, sequence);
    create index on audit_entries (store_id, action, sequence);
    create index on audit_entries (store_id, created_at);
    create table platform_audit_entries (store_id uuid, ${columns}, primary key (sequence));
    create table platform_audit_heads (only_one boolean primary key default true check (only_one), ${head});
    -- The result of the last nightly verification of each chain, for /metrics.
    create table platform_audit_checks (
      chain text primary key,
      entries bigint not null,
      fault text,
      checked_at timestamptz not null,
      wholly_checked_at timestamptz,
      -- When a mail last reported the fault.
      reported_at timestamptz
    );
    create index on platform_audit_entries (actor_id, sequence);
    create index on platform_audit_entries (store_id, sequence);
    create index on platform_audit_entries (resource_type, resource_id, sequence);
    create index on platform_audit_entries (resource_id, sequence);
    create index on platform_audit_entries (action, sequence);
    create index on platform_audit_entries (created_at);
  `)
}
