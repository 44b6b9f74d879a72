import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { idAt, newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { eraseResponses } from '#shared/platform/idempotency/erase-responses.ts'
import { pendingPayloads } from '#shared/platform/jobs/pending-jobs.ts'
import { DAY_MS, HOUR_MS, inMs, SECOND_MS } from '#shared/platform/time/clock.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { discardJobs, runScheduled } from '#test/support/processes/jobs.ts'
import { purgeIdempotencyKeys } from '#workers/idempotency/purge-idempotency-keys.ts'

test('the purge deletes idempotency keys of every store after 24 hours', async () => {
  const stores = [await buildStore(), await buildStore()]
  const keysOf = (store: { id: string }) =>
    inStore(store.id, (tx) => tx.knex('idempotency_keys').where('store_id', store.id).pluck('key'))
  for (const store of stores)
    await inStore(store.id, async (tx) => {
      for (const [key, age] of [
        ['old', DAY_MS + SECOND_MS],
        ['young', DAY_MS - 60 * SECOND_MS],
      ] as const)
        await tx.knex('idempotency_keys').insert({
          store_id: store.id,
          principal: 'anyone',
          operation: 'post /x',
          key,
          request_hash: Buffer.alloc(32),
          holder: newId(),
          lease_until: inMs(-age),
          created_at: inMs(-age),
        })
    })

  await runScheduled(purgeIdempotencyKeys)

  for (const store of stores) assert.deepEqual(await keysOf(store), ['young'])
})

const insertErasure = (store: { id: string }, age: number) =>
  inStore(store.id, (tx) =>
    tx.knex('response_erasures').insert({
      store_id: store.id,
      id: idAt(inMs(-age), Buffer.alloc(16)),
      person_id: newId(),
      record_ids: [],
    }),
  )

test('the purge enqueues the lost job of erasures, once', async () => {
  await discardJobs()
  const [waiting, idle] = [await buildStore(), await buildStore()]
  await insertErasure(waiting, DAY_MS)

  for (let n = 0; n < 2; n++) await runScheduled(purgeIdempotencyKeys)

  assert.equal((await pendingPayloads(eraseResponses, waiting.id)).length, 1)
  assert.equal((await pendingPayloads(eraseResponses, idle.id)).length, 0)
  await discardJobs()
})

test('the purge deletes an erasure when all responses from before it are purged', async () => {
  await discardJobs()
  const store = await buildStore()
  await insertErasure(store, DAY_MS + HOUR_MS + SECOND_MS)

  await runScheduled(purgeIdempotencyKeys)

  const left = await inStore(store.id, (tx) => tx.knex('response_erasures').where('store_id', store.id))
  assert.deepEqual(left, [])
  assert.deepEqual(await pendingPayloads(eraseResponses, store.id), [])
})
