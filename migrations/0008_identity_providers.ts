import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** Sign-in by identity providers (OpenID Connect): the providers, started sign-ins, and the accounts linked to them. */
export async function up(knex: Knex) {
  await identityProviders(knex)
  await oauthAttempts(knex)
  await oauthCodes(knex)
  await identityLinks(knex)
}

async function identityProviders(knex: Knex) {
  await storeTable(
    knex,
    'identity_providers',
    `id uuid not null,
     code text not null,
     name text not null,
     issuer text not null,
     client_id text not null,
     sealed_secret text,
     scopes text[] not null,
     redirect_urls text[] not null,
     audience text not null check (audience in ('customers', 'staff')),
     is_active boolean not null,
     position integer not null,
     created_by uuid,
     contributor_ids uuid[] not null default '{}',
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, code)`,
  )
}

async function oauthAttempts(knex: Knex) {
  await storeTable(
    knex,
    'oauth_attempts',
    `id uuid not null,
     provider_id uuid not null,
     state_hash bytea not null,
     browser_hash bytea not null,
     nonce text not null,
     sealed_verifier text not null,
     redirect_url text not null,
     client_state text,
     code_challenge text,
     expires_at timestamptz not null,
     used_at timestamptz,
     primary key (store_id, id),
     foreign key (store_id, provider_id) references identity_providers (store_id, id) on delete cascade`,
  )
}

async function oauthCodes(knex: Knex) {
  await storeTable(
    knex,
    'oauth_codes',
    `id uuid not null,
     provider_id uuid not null,
     code_hash bytea not null,
     account_type text not null check (account_type in ('customer', 'staff')),
     account_id uuid not null,
     code_challenge text,
     expires_at timestamptz not null,
     used_at timestamptz,
     primary key (store_id, id),
     foreign key (store_id, provider_id) references identity_providers (store_id, id) on delete cascade`,
  )
}

async function identityLinks(knex: Knex) {
  // A provider's account (`subject`) is always the same person. Its e-mail address may be given to another person.
  await storeTable(
    knex,
    'identity_links',
    `id uuid not null,
     provider_id uuid not null,
     subject text not null,
     account_type text not null check (account_type in ('customer', 'staff')),
     account_id uuid not null,
     created_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, provider_id, subject),
     unique (store_id, provider_id, account_type, account_id),
     foreign key (store_id, provider_id) references identity_providers (store_id, id) on delete cascade`,
  )
  await knex.raw(`
    create index on oauth_attempts (store_id, expires_at);
    create index on oauth_attempts (store_id, provider_id);
    create index on oauth_codes (store_id, expires_at);
    create index on oauth_codes (store_id, provider_id);
    create index on identity_links (store_id, account_id);
    -- The provider by which the account signed in. It references no row: the closed session outlives the provider.
    alter table sessions add column provider_id uuid;
    create index on sessions (store_id, provider_id) where provider_id is not null and closed_at is null;
  `)
}
