import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'
import { IS_KNOWN_ORIGIN, isKnownOrigin } from '#shared/stores/publishable-keys/origin.ts'
import { buildStore } from '#test/support/builders/store.ts'

const KEYS = 6_000
const SHARED = 'capacitor://localhost'
const MODES = { LIVE: '{live}', ALL: '{live,test}' }

interface Plan {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

/** The rows that the scans of a plan read. */
function rowsRead(plan: Plan): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': rechecked = 0 } = plan
  const isScan = /^(Index|Index Only|Bitmap Index|Bitmap Heap|Seq) Scan$/.test(plan['Node Type'])
  const own = isScan ? (plan['Actual Rows'] + filtered + rechecked) * plan['Actual Loops'] : 0
  return own + (plan.Plans ?? []).reduce((total, inner) => total + rowsRead(inner), 0)
}

/** Half of the keys have no list, half list an origin of all stores. The first half of both is expired or revoked. */
async function insertKeys(storeIds: string[], endedAt: 'expires_at' | 'revoked_at'): Promise<void> {
  await db().transaction(async (knex) => {
    // Otherwise PostgreSQL plans the lookups of foreign keys for the empty table.
    await knex.raw('set local enable_seqscan = off')
    await knex.raw(
      `insert into publishable_keys (id, store_id, key_hash, hint, mode, allowed_origins, created_at, updated_at, ${endedAt})
       select gen_random_uuid(), (?::uuid[])[1 + n % ?], sha256(gen_random_uuid()::text::bytea), 'h', 'live',
         case when n % 2 = 0 then '{}' else array[?] end, now(), now(), now() - interval '1 minute'
       from generate_series(1, ?::integer) n`,
      [storeIds, storeIds.length, SHARED, KEYS],
    )
  })
}

async function insertStores(count: number): Promise<string[]> {
  const { rows } = await db().raw<{ rows: { id: string }[] }>(
    `insert into stores (id, slug, name, email, currency, default_language, languages, time_zone, created_at, updated_at)
     select gen_random_uuid(), 'many-' || n, 'S', 's@shop.example', 'EUR', 'en', '{en}', 'UTC', now(), now()
     from generate_series(1, ?::integer) n returning id`,
    [count],
  )
  return rows.map(({ id }) => id)
}

async function rowsReadFor(mustBeNamed: boolean, modes: string): Promise<Record<string, number>> {
  const read: Record<string, number> = {}
  for (const plans of ['force_generic_plan', 'force_custom_plan'])
    await db().transaction(async (knex) => {
      await knex.raw(`set local plan_cache_mode = ${plans}`)
      await knex.raw(`prepare known(text, text[], timestamptz, text, boolean) as ${IS_KNOWN_ORIGIN.text}`)
      const { rows } = await knex.raw(
        `explain (analyze, format json) execute known('${SHARED}', '${modes}', now(), null, ${!mustBeNamed})`,
      )
      await knex.raw('deallocate known')
      read[plans] = rowsRead(rows[0]['QUERY PLAN'][0].Plan)
    })
  return read
}

async function assertFewRows(t: TestContext): Promise<void> {
  await db().raw('analyze')
  for (const mustBeNamed of [true, false]) {
    assert.equal(await isKnownOrigin(SHARED, { mustBeNamed }), false)
    const read = await rowsReadFor(mustBeNamed, MODES.LIVE)
    t.diagnostic(`named ${mustBeNamed}: ${JSON.stringify(read)} rows`)
    for (const [plan, rows] of Object.entries(read)) assert.ok(rows <= 4, `${plan}: ${rows} rows`)
  }
}

test('no origin is looked up among the expired and revoked keys of one store', async (t) => {
  const { id } = await buildStore()
  await db()('publishable_keys').delete()
  await insertKeys([id], 'expires_at')
  await insertKeys([id], 'revoked_at')

  await assertFewRows(t)
})

test('no origin is looked up among the expired keys that each of 3,000 stores has', async (t) => {
  await db()('publishable_keys').delete()
  await insertKeys(await insertStores(3_000), 'expires_at')

  await assertFewRows(t)
})

test('control: one key in use is found behind all the expired ones, with and without a list', async () => {
  const { id } = await buildStore()
  await insertKeys([(await buildStore()).id], 'expires_at')
  await db()('publishable_keys').where('store_id', id).update({ allowed_origins: [] })
  assert.equal(await isKnownOrigin(SHARED, { mustBeNamed: true }), false)
  assert.equal(await isKnownOrigin(SHARED, { mustBeNamed: false }), true)
  const read = await rowsReadFor(false, MODES.ALL)
  for (const [plan, rows] of Object.entries(read)) assert.ok(rows <= 5, `${plan}: ${rows} rows`)

  await db()('publishable_keys')
    .where('store_id', id)
    .update({ allowed_origins: [SHARED] })
  assert.equal(await isKnownOrigin(SHARED, { mustBeNamed: true }), true)
})
