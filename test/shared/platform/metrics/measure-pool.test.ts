import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { register } from 'prom-client'
import { waitingWork } from '#shared/platform/db/connection-waits.ts'
import { openPools } from '#shared/platform/db/db.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { limitStoreConnections, UNLIMITED } from '#shared/platform/db/store-connection-limit.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { runForClient, WaitingClient } from '#shared/platform/db/waiting-client.ts'
import { measurePool } from '#shared/platform/metrics/measure-pool.ts'
import { buildStore } from '#test/support/builders/store.ts'
import '#test/support/database.ts'
import { until } from '#test/support/races/until.ts'

const LARGE = { name: 'large_in_test', text: "select repeat('x', 100000)" }
const ONE = { name: 'one_in_test', text: 'select 1::text' }

before(() => measurePool())

/** Returns the figures of a metric by its labels. */
async function figures(name: string): Promise<Record<string, number>> {
  const { values } = (await register.getSingleMetric(name)?.get()) ?? { values: [] }
  return Object.fromEntries(
    values
      .filter((value) => !('metricName' in value) || value.metricName === `${name}_count`)
      .map(({ labels, value }) => [labels.for ?? labels.state, value]),
  )
}

test('the metrics count work that waits for a connection of its store, and its time-outs', async (t) => {
  const { id } = await buildStore()
  limitStoreConnections({ perStore: 1, shared: 1, waitMs: 60_000, timeout: () => new Error('timed out') })
  t.after(() => limitStoreConnections(UNLIMITED))
  const released = Promise.withResolvers<void>()
  const holding = inStore(id, () => released.promise)
  const later = readInStore(id, ONE, [])
  await until('the read waits', async () => waitingWork() === 1)

  const during = await figures('database_pool_waiting')
  limitStoreConnections({ perStore: 1, shared: 1, waitMs: 1, timeout: () => new Error('timed out') })
  await assert.rejects(readInStore(id, ONE, []), { message: 'timed out' })
  released.resolve()
  await Promise.all([holding, later])

  assert.deepEqual(during, { share: 1, pool: 0 })
  assert.deepEqual(await figures('database_pool_waiting'), { share: 0, pool: 0 })
  assert.equal((await figures('database_pool_wait_seconds')).share, 2)
  assert.deepEqual(await figures('database_pool_timeouts_total'), { share: 1, pool: 0 })
})

test('the metrics count the connections of both connection pools', async () => {
  const { id } = await buildStore()
  const client = new WaitingClient(1_000)
  client.storeId = id
  for (let n = 0; n < 21; n++) await assert.rejects(runForClient(client, () => readInStore(id, LARGE, [])))
  await until('its clients have a pool apart', async () => {
    await runForClient(client, () => readInStore(id, ONE, []))
    return openPools().length === 2
  })

  const { id: other } = await buildStore()
  await Promise.all([runForClient(client, () => readInStore(id, ONE, [])), readInStore(other, ONE, [])])

  assert.deepEqual(await figures('database_pool_connections'), { used: 0, free: 2 })
})
