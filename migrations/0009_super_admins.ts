import type { Knex } from 'knex'
import { overAllStores } from '#migrations/support/over-all-stores.ts'
import { storeTable } from '#migrations/support/store-table.ts'

/** Those who run the platform, how they sign in, and what they open in a store. All of it stands outside the stores. */
export async function up(knex: Knex) {
  await knex.raw(`
    create table super_admins (
      id uuid primary key,
      email text not null,
      email_normalized text not null unique,
      password_hash text not null,
      is_active boolean not null default true,
      -- When all sessions were closed: what was opened in a store before that is closed by it, too.
      signed_out_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );

    -- The same columns as sessions, two_factor and recovery_codes, but for the store and the type of the account.
    create table super_admin_sessions (
      id uuid primary key,
      account_id uuid not null references super_admins (id),
      generation integer not null check (generation > 0),
      token_hash bytea not null,
      predecessor_hash bytea,
      superseded_at timestamptz[] not null default '{}',
      ip text,
      user_agent text,
      created_at timestamptz not null,
      last_used_at timestamptz not null,
      authenticated_at timestamptz not null,
      expires_at timestamptz not null,
      closed_at timestamptz,
      closed_reason text,
      check ((closed_at is null) = (closed_reason is null))
    );
    -- Ids are sorted by time: the last sessions stand at the end.
    create index on super_admin_sessions (account_id, id);

    create table super_admin_two_factor (
      account_id uuid primary key references super_admins (id),
      sealed_secret text not null,
      last_step integer not null default 0,
      created_at timestamptz not null,
      enabled_at timestamptz
    );
    create table super_admin_recovery_codes (
      account_id uuid not null references super_admins (id),
      code_hash bytea not null,
      created_at timestamptz not null,
      used_at timestamptz,
      primary key (account_id, code_hash)
    );

    -- What the stores' orders of a day (UTC) add up to. The platform reads no store's orders, only this; it holds
    -- nothing of a person, and outlives the store.
    create table platform_daily_figures (
      day date not null,
      store_id uuid not null,
      currency char(3) not null,
      orders integer not null,
      revenue_minor bigint not null,
      tallied_at timestamptz not null,
      primary key (day, store_id, currency)
    );

    -- A session of a super-admin as the store's staff, and what for. Its account is the super-admin's.
    alter table sessions add column support_reason text check (account_type = 'staff' or support_reason is null);
    -- A super-admin proves nothing to the store, so a support session never makes what needs a recent sign-in.
    alter table sessions add check (support_reason is null or authenticated_at is null);
    -- The session in which the super-admin opened it. A support session ends with that one. It references no row,
    -- because a store's sessions are purged separately.
    alter table sessions add column super_admin_session_id uuid;
    alter table sessions add check ((support_reason is null) = (super_admin_session_id is null));
    -- When it first changed the store, and when its changes were mailed to the owner. It changes nothing after that.
    alter table sessions add column support_changed_at timestamptz;
    alter table sessions add column support_reported_at timestamptz;
    alter table sessions add check (support_reason is not null or support_changed_at is null);
    alter table sessions add check (support_changed_at is not null or support_reported_at is null);
    create index on sessions (store_id, id) where support_changed_at is not null and support_reported_at is null;
    -- Asked for before the thirty days after its deletion are over.
    alter table stores add column purge_requested_at timestamptz;
    -- Set when the first rows are about to be deleted, whether the purge was asked for or the thirty days are over.
    alter table stores add column purge_started_at timestamptz;
    create index on stores (deleted_at) where deleted_at is not null;
  `)
  // The owner allows support sessions to make changes until then. It ends by its time, or when its row is deleted.
  await storeTable(
    knex,
    'support_consents',
    `granted_by uuid not null,
     granted_at timestamptz not null,
     expires_at timestamptz not null,
     primary key (store_id)`,
  )
  await overAllStores(knex, 'support_changes_to_report', {
    // Withdrawing the consent deletes its row. A consent that expires does not: the owner may renew it.
    args: 'at timestamptz, max_rows integer',
    columns: 'store_id uuid, session_id uuid',
    query: `select s.store_id, s.id from sessions s
      where s.store_id = store and s.support_changed_at is not null and s.support_reported_at is null
        and (s.expires_at <= at or s.closed_at is not null
          or not exists (select from support_consents c where c.store_id = store)
          or not exists (select from super_admin_sessions opener
            where opener.id = s.super_admin_session_id and opener.closed_at is null)
          or not exists (select from super_admins a where a.id = s.account_id and a.is_active
            and s.created_at > coalesce(a.signed_out_at, '-infinity')))
        and exists (select from stores where id = store and status <> 'deleted')
      order by s.id limit max_rows`,
  })
}
