import type { Knex } from 'knex'
import { overAllStores } from '#migrations/support/over-all-stores.ts'
import { storeTable } from '#migrations/support/store-table.ts'

/** Super-admins, their sign-in, their support sessions in stores, and the daily figures of all stores. */
export async function up(knex: Knex) {
  await knex.raw(`
    create table super_admins (
      id uuid primary key,
      email text not null,
      email_normalized text not null unique,
      password_hash text not null,
      is_active boolean not null default true,
      -- When all sessions were closed. Support sessions that were opened before this time have ended, too.
      signed_out_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );

    -- The columns of sessions, two_factor and recovery_codes, without the store and the account type.
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
    -- Ids sort by time, so the latest sessions are at the end of an account's range.
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

    -- The sums of each store's orders of a day (UTC). The platform reads these instead of orders. They contain no
    -- personal data, and outlive the store.
    create table platform_daily_figures (
      day date not null,
      store_id uuid not null,
      currency char(3) not null,
      orders integer not null,
      revenue_minor bigint not null,
      tallied_at timestamptz not null,
      primary key (day, store_id, currency)
    );

    -- Why a super-admin opened a support session, which acts as the store's staff. Its account is the super-admin.
    alter table sessions add column support_reason text check (account_type = 'staff' or support_reason is null);
    -- A support session never counts as a recent sign-in, so it cannot make changes that require one.
    alter table sessions add check (support_reason is null or authenticated_at is null);
    -- The super-admin's session that opened the support session, which ends with it. No foreign key, because a store's
    -- sessions are purged separately.
    alter table sessions add column super_admin_session_id uuid;
    alter table sessions add check ((support_reason is null) = (super_admin_session_id is null));
    -- When the session first changed the store, and when its changes were mailed to the owner. After that mail, the
    -- session can make no more changes.
    alter table sessions add column support_changed_at timestamptz;
    alter table sessions add column support_reported_at timestamptz;
    alter table sessions add check (support_reason is not null or support_changed_at is null);
    alter table sessions add check (support_changed_at is not null or support_reported_at is null);
    create index on sessions (store_id, id) where support_changed_at is not null and support_reported_at is null;
    -- When a purge was requested before the thirty days after the store's deletion were over.
    alter table stores add column purge_requested_at timestamptz;
    -- When the purge began to delete rows, either on request or after the thirty days.
    alter table stores add column purge_started_at timestamptz;
    create index on stores (deleted_at) where deleted_at is not null;
  `)
  // The owner's consent to changes by support sessions. It ends at expires_at, or when its row is deleted.
  await storeTable(
    knex,
    'support_consents',
    `granted_by uuid not null,
     granted_at timestamptz not null,
     expires_at timestamptz not null,
     primary key (store_id)`,
  )
  await overAllStores(knex, 'support_changes_to_report', {
    // Changes are also reported when the owner withdraws the consent, which deletes its row. They are not reported when
    // the consent expires, because the owner may renew it.
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
