import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { purgeIdempotencyKeys } from '#shared/platform/idempotency/purge-idempotency-keys.ts'
import { queues } from '#shared/platform/jobs/enqueue.ts'
import { DAY_MS, inMs, SECOND_MS } from '#shared/platform/time/clock.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'

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

  await (await queues()).send(purgeIdempotencyKeys.queue, {})
  await drainJobs()

  for (const store of stores) assert.deepEqual(await keysOf(store), ['young'])
})
