import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** Who did what: a chain of entries a store, and one of the platform for what super-admins do. */
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
  // The end of the chain: its row lock gives each change its place, held from right before the commit to the commit.
  // `proof`, made with the key `key_id`, says that the service wrote it, as an entry's says of the entry.
  const head = 'sequence bigint not null, hash bytea not null, key_id text, proof bytea'
  await storeTable(knex, 'audit_heads', `${head}, primary key (store_id)`)
  // The platform's entries outlive the stores that they are about, so they refer to none.
  await knex.raw(`
    create index on audit_entries (store_id, actor_id, sequence);
    create index on audit_entries (store_id, resource_type, resource_id, sequence);
    create index on audit_entries (store_id, resource_id, sequence);
    create index on audit_entries (store_id, action, sequence);
    create index on audit_entries (store_id, created_at);
    create table platform_audit_entries (store_id uuid, ${columns}, primary key (sequence));
    create table platform_audit_heads (only_one boolean primary key default true check (only_one), ${head});
    -- What the last nightly verification of each chain found: the figures of /metrics.
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
