import { batchLookups } from '#shared/platform/db/batch-lookups.ts'
import { readOnPlatform } from '#shared/platform/db/pipelined-query.ts'
import { now } from '#shared/platform/time/clock.ts'
import { hashPublishableKey } from './key-format.ts'
import { readStore, STORE_JSON, type Store } from './store.ts'

/** What led to a store, and the version of its catalog at that moment. */
export interface TenantContext {
  store: Store
  catalogVersion: string
  /** Of the publishable key; empty means any origin. Null when the store was found by its domain. */
  allowedOrigins: string[] | null
  keyMode: 'live' | 'test' | null
}

// One statement for the three ways: what is asked at the same time is read together, and always anew, so a
// revoked key or a deleted store is refused from the next request on.
const FIND_STORES = {
  name: 'find_stores',
  text: `
    select found.asked, ${STORE_JSON}, v.version, found.allowed_origins, found.mode
    from (
      select 'key:' || encode(key_hash, 'hex') as asked, store_id, to_json(allowed_origins) as allowed_origins, mode
      from publishable_keys
      where key_hash in (select decode(substr(a, 5), 'hex') from unnest($1::text[]) a where a like 'key:%')
        and revoked_at is null and (expires_at is null or expires_at > $2::timestamptz)
      union all
      select 'host:' || domain, store_id, null, null
      from store_domains
      where domain in (select substr(a, 6) from unnest($1::text[]) a where a like 'host:%') and verified_at is not null
      union all
      select 'id:' || id, id, null, null
      from stores where id in (select substr(a, 4)::uuid from unnest($1::text[]) a where a like 'id:%')
    ) found
    join stores s on s.id = found.store_id
    join catalog_versions v on v.store_id = s.id`,
}

const find = batchLookups<TenantContext | undefined>(async (asked) => {
  const questions = asked.map(questionOf)
  const visits = await findAll(questions.filter((question) => question !== null))
  return new Map(asked.map((one, i) => [one, visits.get(questions[i] ?? '')]))
})

// Here, because a key is then hashed once for all who come with it at the same time.
function questionOf(asked: string): string | null {
  if (!asked.startsWith('key:')) return asked
  const hash = hashPublishableKey(asked.slice('key:'.length))
  return hash && `key:${hash.toString('hex')}`
}

async function findAll(questions: string[]): Promise<Map<string, TenantContext>> {
  if (!questions.length) return new Map()
  const list = `{${questions.map((a) => `"${a.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
  const rows = await readOnPlatform(FIND_STORES, [list, now().toISOString()])
  return new Map(
    rows.map(([question, store, version, origins, mode]) => [
      question ?? '',
      {
        store: readStore(store ?? ''),
        catalogVersion: version ?? '',
        allowedOrigins: origins ? JSON.parse(origins) : null,
        keyMode: mode as TenantContext['keyMode'],
      },
    ]),
  )
}

/** The store of a publishable key; undefined when the key is malformed, unknown, revoked or expired. */
export const findStoreByKey = (key: string) => find(`key:${key}`)

/** The store of a verified domain (lower case, no port). */
export const findStoreByDomain = (domain: string) => find(`host:${domain}`)

/** A store that a token names. */
export const findStoreById = (id: string) => find(`id:${id}`)
