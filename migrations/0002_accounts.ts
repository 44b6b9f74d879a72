import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** Customers, staff, their sign-in, and the stored responses to idempotent requests. */
export async function up(knex: Knex) {
  await customerGroups(knex)
  await customers(knex)
  await customerCounts(knex)
  await customerWords(knex)
  await staffMembers(knex)
  await roles(knex)
  await apiTokens(knex)
  await staffDirectory(knex)
  await sessions(knex)
  await accountLinks(knex)
  await twoFactor(knex)
  await recoveryCodes(knex)
  await securityEvents(knex)
  await idempotencyKeys(knex)
  await responseErasures(knex)
}

async function customerGroups(knex: Knex) {
  await storeTable(
    knex,
    'customer_groups',
    `id uuid not null,
     name_i18n jsonb not null,
     description_i18n jsonb not null default '{}',
     is_default boolean not null default false,
     tax_exempt boolean not null default false,
     sort_order integer not null default 0,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id)`,
  )
  await knex.raw('create unique index customer_groups_default on customer_groups (store_id) where is_default')
}

async function customers(knex: Knex) {
  // The three figures are sums over the customer's orders: see shared/orders/figures/customer-figures.ts.
  await storeTable(
    knex,
    'customers',
    `id uuid not null,
     email text not null,
     email_normalized text not null,
     password_hash text,
     firstname text not null,
     lastname text not null,
     telephone text,
     accepts_marketing boolean not null default false,
     language text,
     verified_at timestamptz,
     first_verified_at timestamptz,
     is_active boolean not null default true,
     customer_group_id uuid not null,
     tax_exempt boolean not null default false,
     tax_number text,
     note text,
     metadata jsonb not null default '{}',
     orders_count integer not null default 0 check (orders_count >= 0),
     total_spent_minor bigint not null default 0,
     last_order_at timestamptz,
     anonymized_at timestamptz,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, email_normalized),
     foreign key (store_id, customer_group_id) references customer_groups (store_id, id)`,
  )
  await knex.raw(`
    create index on customers (store_id, created_at, id);
    create index on customers (store_id, updated_at, id);
    create index on customers (store_id, last_order_at desc nulls last, id desc);
    create index on customers (store_id, total_spent_minor, id);
    create index on customers (store_id, lower(lastname), id);
    create index on customers (store_id, customer_group_id);
    -- For the filters of the staff's list that match few customers.
    create index customers_inactive on customers (store_id, created_at, id) where not is_active;
    create index customers_marketing on customers (store_id, created_at, id) where accepts_marketing;
    create index customers_with_orders on customers (store_id, created_at, id) where orders_count > 0;
  `)
}

async function customerCounts(knex: Knex) {
  // The number of customers of each group, because counting them for each list takes too long.
  await storeTable(
    knex,
    'customer_counts',
    `customer_group_id uuid not null,
     bucket integer not null,
     customers bigint not null,
     primary key (store_id, customer_group_id, bucket),
     foreign key (store_id, customer_group_id) references customer_groups (store_id, id) on delete cascade`,
  )
}

async function customerWords(knex: Knex) {
  // Row-level security keeps PostgreSQL from using trigram indexes. Searches compare texts by this primary key.
  await storeTable(
    knex,
    'customer_words',
    `word text collate "C" not null,
     customer_id uuid not null,
     primary key (store_id, word, customer_id),
     foreign key (store_id, customer_id) references customers (store_id, id) on delete cascade`,
  )
  await knex.raw('create index on customer_words (store_id, customer_id)')
}

async function staffMembers(knex: Knex) {
  // verified_at: when the member proved the address by a mailed link. Null while only another member has given it.
  await storeTable(
    knex,
    'staff_members',
    `id uuid not null,
     email text not null,
     email_normalized text not null,
     password_hash text not null,
     firstname text not null,
     lastname text not null,
     role text not null,
     is_owner boolean not null default false,
     is_active boolean not null default true,
     verified_at timestamptz,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id)`,
  )
}

async function roles(knex: Knex) {
  await storeTable(
    knex,
    'roles',
    `id uuid not null,
     name text not null,
     rights text[] not null,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, name)`,
  )
}

async function apiTokens(knex: Knex) {
  await storeTable(
    knex,
    'api_tokens',
    `id uuid not null,
     name text not null,
     token_hash bytea not null,
     hint text not null,
     mode text not null check (mode in ('live', 'test')),
     rights text[] not null,
     created_by uuid not null,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     expires_at timestamptz,
     last_used_at timestamptz,
     revoked_at timestamptz,
     primary key (store_id, id),
     unique (store_id, token_hash)`,
  )
}

// Active staff sign in without naming a store: their e-mail address is unique on the platform, and this table finds
// its store. is_owner repeats the column of staff_members, whose rows other stores do not see. Another store may take
// over an address of a closed store, except the owner's.
async function staffDirectory(knex: Knex) {
  await knex.raw(`
    create unique index one_owner on staff_members (store_id) where is_owner;
    create table staff_directory (
      email_normalized text primary key,
      store_id uuid not null,
      staff_id uuid not null,
      is_owner boolean not null,
      foreign key (store_id, staff_id) references staff_members (store_id, id) on delete cascade
    );
    create index on staff_directory (store_id, staff_id);
  `)
}

async function sessions(knex: Knex) {
  // generation: how often the refresh token was rotated; 0 for a token from before rotation existed. predecessor_hash:
  // the hash of the previous token, which recognizes it even after its signing key was removed. superseded_at: the
  // times at which the previous generations were superseded within the last minute, latest first. authenticated_at:
  // when the account last proved its password and second factor in this session. Rotation does not change it.
  await storeTable(
    knex,
    'sessions',
    `id uuid not null,
     account_type text not null check (account_type in ('customer', 'staff')),
     account_id uuid not null,
     generation integer not null check (generation >= 0),
     token_hash bytea not null,
     predecessor_hash bytea,
     superseded_at timestamptz[] not null default '{}',
     ip text,
     user_agent text,
     created_at timestamptz not null,
     last_used_at timestamptz not null,
     authenticated_at timestamptz,
     expires_at timestamptz not null,
     closed_at timestamptz,
     closed_reason text,
     primary key (store_id, id),
     check ((closed_at is null) = (closed_reason is null))`,
  )
  // Ids sort by time, so the latest sessions of an account are at the end of its range.
  await knex.raw('create index on sessions (store_id, account_id, id)')
}

async function accountLinks(knex: Knex) {
  await storeTable(
    knex,
    'account_links',
    `id uuid not null,
     purpose text not null check (purpose in ('reset_password', 'verify_email', 'change_email')),
     account_type text not null check (account_type in ('customer', 'staff')),
     account_id uuid not null,
     email text,
     token_hash bytea not null,
     created_at timestamptz not null,
     expires_at timestamptz not null,
     used_at timestamptz,
     primary key (store_id, id),
     check ((email is not null) = (purpose = 'change_email'))`,
  )
  await knex.raw('create index on account_links (store_id, account_id, purpose, created_at)')
}

async function twoFactor(knex: Knex) {
  // last_step: the time step of the last accepted code. Codes of this step and earlier ones are refused.
  await storeTable(
    knex,
    'two_factor',
    `account_type text not null check (account_type in ('customer', 'staff')),
     account_id uuid not null,
     sealed_secret text not null,
     last_step integer not null default 0,
     created_at timestamptz not null,
     enabled_at timestamptz,
     primary key (store_id, account_type, account_id)`,
  )
}

async function recoveryCodes(knex: Knex) {
  await storeTable(
    knex,
    'recovery_codes',
    `account_type text not null check (account_type in ('customer', 'staff')),
     account_id uuid not null,
     code_hash bytea not null,
     created_at timestamptz not null,
     used_at timestamptz,
     primary key (store_id, account_type, account_id, code_hash)`,
  )
}

async function securityEvents(knex: Knex) {
  await storeTable(
    knex,
    'security_events',
    `id uuid not null,
     kind text not null,
     account_type text not null check (account_type in ('customer', 'staff')),
     account_id uuid not null,
     session_id uuid,
     ip text,
     user_agent text,
     created_at timestamptz not null,
     primary key (store_id, id)`,
  )
  await knex.raw('create index on security_events (store_id, account_id, created_at)')
}

async function idempotencyKeys(knex: Knex) {
  await storeTable(
    knex,
    'idempotency_keys',
    `principal text not null,
     operation text not null,
     key text not null,
     request_hash bytea not null,
     holder uuid not null,
     lease_until timestamptz not null,
     outcome text,
     status integer,
     response text,
     -- The ids in the outcome and the response.
     named_ids uuid[] not null default '{}',
     created_at timestamptz not null,
     primary key (store_id, principal, operation, key)`,
  )
  await knex.raw('create index on idempotency_keys (store_id, created_at)')
}

/** Persons whose data must be erased from the stored responses. */
async function responseErasures(knex: Knex) {
  await storeTable(
    knex,
    'response_erasures',
    `id uuid not null,
     person_id uuid not null,
     record_ids uuid[] not null,
     -- The last record that the scan has passed; null until a scan starts.
     place text[],
     primary key (store_id, id)`,
  )
}
