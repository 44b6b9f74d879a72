import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { planOf } from '#test/support/measure/plan-of.ts'
import '#test/support/database.ts'
import type { Knex } from 'knex'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, inMs, SECOND_MS } from '#shared/platform/time/clock.ts'
import { PublishableKey } from '#shared/stores/publishable-keys/publishable-key.ts'
import {
  deleteSurplusPublishableKeys,
  purgeEndedPublishableKeys,
} from '#shared/stores/publishable-keys/purge-ended-publishable-keys.ts'
import { rotatePublishableKey } from '#shared/stores/publishable-keys/rotate-publishable-key.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { runScheduled } from '#test/support/processes/jobs.ts'
import { purgePublishableKeys } from '#workers/stores/purge-publishable-keys.ts'

const MAX_ENDED = 100

const namesOf = async (store: BuiltStore) =>
  (await inStore(store.id, (tx) => PublishableKey.in(tx).orderBy('name'))).map(({ name }) => name)

/** A key with that name, which was revoked or expired so long ago. */
const insertEnded = (store: BuiltStore, name: string, endedAt: 'revokedAt' | 'expiresAt', agoMs: number) =>
  inStore(store.id, (tx) =>
    PublishableKey.in(tx).insert({
      keyHash: randomBytes(32),
      name,
      hint: 'h',
      mode: 'test',
      allowedOrigins: ['https://shop.example'],
      createdAt: inMs(-agoMs),
      updatedAt: inMs(-agoMs),
      [endedAt]: inMs(-agoMs),
    }),
  )

test('rotations without an overlap leave the last 100 ended keys of a store, and those of other stores', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  await insertEnded(other, 'of another store', 'expiresAt', DAY_MS)
  await insertEnded(store, 'oldest', 'revokedAt', 2 * SECOND_MS)
  await inStore(store.id, async (tx) => {
    let key = await PublishableKey.in(tx).whereNull('name').first().throwIfNotFound()
    for (let n = 0; n <= MAX_ENDED; n++) {
      const { issued } = await rotatePublishableKey(tx, null, key.id, 0)
      key = issued
    }
  })

  const keys = await inStore(store.id, (tx) => PublishableKey.in(tx).orderBy('id'))

  assert.equal(keys.length, MAX_ENDED + 1)
  assert.equal(keys.filter(({ isUsable }) => isUsable).length, 1)
  assert.ok(!(await namesOf(store)).includes('oldest'))
  assert.equal((await namesOf(other)).length, 2)
})

test('the nightly purge deletes keys 30 days after they ended, in every store', async () => {
  const stores = [await buildStore(), await buildStore()]
  for (const store of stores)
    for (const endedAt of ['revokedAt', 'expiresAt'] as const) {
      await insertEnded(store, `${endedAt} young`, endedAt, 30 * DAY_MS - 60 * SECOND_MS)
      await insertEnded(store, `${endedAt} old`, endedAt, 30 * DAY_MS + SECOND_MS)
    }

  await runScheduled(purgePublishableKeys)

  for (const store of stores)
    assert.deepEqual(await namesOf(store), ['expiresAt young', 'revokedAt young', null])
})

/** The plan of the delete that `work` makes. */
const planOfDelete = (store: BuiltStore, work: (tx: StoreTx) => Promise<void>): Promise<string> =>
  inStore(store.id, async (tx) => {
    const deletes: { sql: string; bindings: Knex.RawBinding[] }[] = []
    tx.knex.on('query', (query) => query.sql.startsWith('delete') && deletes.push(query))
    await work(tx)
    const [{ sql, bindings } = { sql: '', bindings: [] }] = deletes
    return planOf(tx.knex, sql, { bindings })
  })

test('the ended keys of a store are found by an index', async () => {
  const store = await buildStore()
  await inStore(store.id, async ({ knex }) => {
    await knex.raw(
      `insert into publishable_keys (id, store_id, key_hash, hint, mode, created_at, updated_at)
       select gen_random_uuid(), ?, sha256(gen_random_uuid()::text::bytea), 'h', 'live', now(), now()
       from generate_series(1, 3000)`,
      [store.id],
    )
    await knex.raw('analyze publishable_keys')
  })

  for (const work of [purgeEndedPublishableKeys, deleteSurplusPublishableKeys])
    assert.match(await planOfDelete(store, work), /Scan (using|on) publishable_keys_ended/)
})
