import { joinCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { batchLookups } from '#shared/platform/db/batch-lookups.ts'
import { readOnPlatform } from '#shared/platform/db/pipelined-query.ts'
import { now } from '#shared/platform/time/clock.ts'
import { hashPublishableKey } from '#shared/stores/publishable-keys/key-format.ts'
import type { KeyMode } from '#shared/stores/publishable-keys/publishable-key.ts'
import { parseStore, STORE_JSON, type Store } from './store.ts'

/** The store of a request, with the data of the key that named it. */
export interface TenantContext {
  store: Store
  catalogVersion: string
  /** The origins of the publishable key; an empty list allows any. Null without a key. */
  allowedOrigins: string[] | null
  keyMode: KeyMode | null
}

// One statement for all three lookups. It reads the database on every request, so a revoked key or a deleted store is
// refused from the next request on.
const FIND_STORES = {
  name: 'find_stores',
  text: `
    select found.lookup, ${STORE_JSON}, v.version, found.allowed_origins, found.mode
    from (
      select 'key:' || encode(key_hash, 'hex') as lookup, store_id, to_json(allowed_origins) as allowed_origins, mode
      from publishable_keys
      where key_hash in (select decode(substr(wanted, 5), 'hex') from unnest($1::text[]) wanted where wanted like 'key:%')
        and revoked_at is null and (expires_at is null or expires_at > $2::timestamptz)
      union all
      select 'host:' || domain, store_id, null, null
      from store_domains
      where domain in (select substr(wanted, 6) from unnest($1::text[]) wanted where wanted like 'host:%')
        and verified_at is not null
      union all
      select 'id:' || id, id, null, null
      from stores
      where id in (select substr(wanted, 4)::uuid from unnest($1::text[]) wanted where wanted like 'id:%')
    ) found
    join stores s on s.id = found.store_id
    ${joinCatalogVersion('s')}`,
}

const find = batchLookups<TenantContext | undefined>(async (keys) => {
  const lookups = keys.map(toLookup)
  const contexts = await findAll(lookups.filter((lookup) => lookup !== null))
  return new Map(keys.map((key, i) => [key, contexts.get(lookups[i] ?? '')]))
})

// Hashing here, after the batch is formed, hashes a key once for all requests that send it at the same time.
function toLookup(key: string): string | null {
  if (!key.startsWith('key:')) return key
  const hash = hashPublishableKey(key.slice('key:'.length))
  return hash && `key:${hash.toString('hex')}`
}

async function findAll(lookups: string[]): Promise<Map<string, TenantContext>> {
  if (!lookups.length) return new Map()
  const rows = await readOnPlatform(FIND_STORES, [toArrayLiteral(lookups), now().toISOString()])
  return new Map(
    rows.map(([lookup, store, version, origins, mode]) => [
      lookup ?? '',
      {
        store: parseStore(store ?? ''),
        catalogVersion: version ?? '',
        allowedOrigins: origins ? JSON.parse(origins) : null,
        keyMode: mode as TenantContext['keyMode'],
      },
    ]),
  )
}

/** Returns texts as a literal of a PostgreSQL array. */
const toArrayLiteral = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`

/** Finds the store of a publishable key; undefined if the key is malformed, unknown, revoked or expired. */
export const findStoreByKey = (key: string) => find(`key:${key}`)

/** Finds the store of a verified domain (lower case, without port). */
export const findStoreByDomain = (domain: string) => find(`host:${domain}`)

/** Finds the store that a token names. */
export const findStoreById = (id: string) => find(`id:${id}`)
