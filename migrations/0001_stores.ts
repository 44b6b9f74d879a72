import type { Knex } from 'knex'

/**
 * Stores, the domains and publishable keys by which requests find their store, the allowed origins, and rate limits.
 */
export async function up(knex: Knex) {
  // Compiling a plan takes longer than any of the service's statements.
  await knex.raw(`do $$ begin execute format('alter role %I set jit = off', current_user); end $$`)
  await knex.raw(`
    create table stores (
      id uuid primary key,
      slug text not null unique check (slug ~ '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9]|)$'),
      name text not null,
      email text not null,
      status text not null default 'active' check (status in ('active', 'suspended', 'deleted')),
      currency char(3) not null,
      default_language text not null,
      languages text[] not null,
      time_zone text not null,
      guest_checkout_enabled boolean not null default true,
      min_order_total_minor bigint not null default 0 check (min_order_total_minor >= 0),
      stock_hold_seconds integer not null default 2100 check (stock_hold_seconds > 0),
      bank_transfer_hold_seconds integer not null default 604800
        check (bank_transfer_hold_seconds between 3600 and 7776000),
      unpaid_order_seconds integer not null default 86400 check (unpaid_order_seconds > 0),
      catalog jsonb not null default '{}',
      seo jsonb not null default '{}',
      links jsonb not null default '{}',
      branding jsonb not null default '{"logo_url": null, "color": null}',
      order_mails jsonb not null default '{}',
      subscription_mails jsonb not null default '{}',
      created_at timestamptz not null,
      updated_at timestamptz not null,
      deleted_at timestamptz,
      reopened_at timestamptz
    );
    -- All rows can be read and locked: a request reads stores before its own is known, and some lock another store.
    -- The transaction of a store inserts, updates and deletes its own row alone. An update of any other row fails.
    create function is_own_store(id uuid) returns boolean language sql stable as $$
      select id = coalesce(nullif(current_setting('app.store_id', true), '')::uuid, id)
    $$;
    alter table stores enable row level security, force row level security;
    create policy read_all on stores for select using (true);
    create policy insert_own on stores for insert with check (is_own_store(id));
    create policy lock_all_update_own on stores for update using (true) with check (is_own_store(id));
    create policy delete_own on stores for delete using (is_own_store(id));

    -- Every change of a store's catalog increments the version in its transaction. Keys of cached responses contain it.
    create table catalog_versions (
      store_id uuid primary key references stores (id),
      version bigint not null default 1
    ) with (fillfactor = 50);

    -- Several stores may claim a domain. It belongs to the one that has verified it.
    create table store_domains (
      id uuid primary key,
      store_id uuid not null references stores (id),
      domain text not null check (domain = lower(domain)),
      proof text not null,
      checking_since timestamptz,
      checked_at timestamptz,
      failure text check (failure in ('record_missing', 'record_wrong', 'dns_unavailable', 'taken')),
      verified_at timestamptz,
      created_by uuid,
      created_at timestamptz not null,
      unique (store_id, domain)
    );
    create unique index store_domains_verified on store_domains (domain) where verified_at is not null;

    create table publishable_keys (
      id uuid primary key,
      store_id uuid not null references stores (id),
      key_hash bytea not null unique,
      name text,
      hint text not null,
      mode text not null check (mode in ('live', 'test')),
      allowed_origins text[] not null default '{}',
      created_by uuid,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      rotated_at timestamptz,
      expires_at timestamptz,
      revoked_at timestamptz,
      check (rotated_at is null or expires_at is not null),
      unique (store_id, id)
    );
    create index publishable_keys_ended on publishable_keys (store_id, least(revoked_at, expires_at));

    -- A preflight names an origin and no key, so origins are looked up over all stores. A key without a list accepts
    -- every origin, and has one row without an origin. A revoked key has no row. The expiry is repeated here, because a
    -- GIN index on the lists would also read each expired key.
    create table publishable_key_origins (
      store_id uuid not null references stores (id),
      key_id uuid not null,
      origin text,
      mode text not null,
      ends_at timestamptz not null,
      foreign key (store_id, key_id) references publishable_keys (store_id, id) on delete cascade
    );
    create index on publishable_key_origins (store_id, key_id);
    create index publishable_key_origins_named on publishable_key_origins (origin, ends_at, mode)
      where origin is not null;
    create index publishable_key_origins_any on publishable_key_origins (ends_at, mode) where origin is null;

    -- The used units of each limit in the window that ends at ends_at. Unlogged, because a crash may reset them.
    create unlogged table rate_limits (
      subject bytea primary key,
      used bigint not null,
      granted bigint not null,
      ends_at timestamptz not null
    ) with (fillfactor = 50);
    create index on rate_limits (ends_at);

    -- Figures over all stores for /metrics. One process at a time reads them for all. Unlogged, because they are read
    -- again after a crash.
    create unlogged table metric_figures (
      name text primary key,
      claimed_at timestamptz not null,
      figures jsonb,
      read_at timestamptz
    );
  `)
  await indexOriginsOfKeys(knex)
}

// A trigger, so that no change of a key leaves out its origins.
async function indexOriginsOfKeys(knex: Knex) {
  await knex.raw(`
    create function index_origins_of_key() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' then
          delete from publishable_key_origins where store_id = new.store_id and key_id = new.id;
        end if;
        insert into publishable_key_origins (store_id, key_id, origin, mode, ends_at)
        select distinct new.store_id, new.id, origin, new.mode, coalesce(new.expires_at, 'infinity')
        from unnest(case when new.allowed_origins = '{}' then '{null}' else new.allowed_origins end) origin
        where new.revoked_at is null;
        return null;
      end $$;
    create trigger index_origins
      after insert or update of allowed_origins, mode, expires_at, revoked_at on publishable_keys
      for each row execute function index_origins_of_key();
  `)
}
