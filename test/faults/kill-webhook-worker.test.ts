import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { emitAll } from '#shared/platform/events/events.ts'
import { WINDOW } from '#shared/webhooks/deliveries/window.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildReceiver, buildWebhook, parcelMoved, sequenceOf } from '#test/support/builders/webhooks.ts'
import { killWorker, missHeartbeats, startWorkerProcess } from '#test/support/processes/worker-process.ts'

const receiver = await buildReceiver()
const KILLS = 3
// More than a webhook's window, so that each killed worker leaves deliveries without a job.
const EVENTS = 2 * WINDOW

test('killed workers lose no event; each event keeps its id and sequence number', async (t) => {
  const store = await buildStore()
  await buildWebhook(store, { url: receiver.hookUrl('killed') })
  receiver.behave('killed', { delay_ms: 20 })
  const emitted: string[] = []

  for (let kill = 0; kill < KILLS; kill++) {
    const worker = await startWorkerProcess(t)
    const steps = Array.from({ length: EVENTS }, (_, step) => ({ step: kill * EVENTS + step }))
    const reached = receiver.waitFor('killed', receiver.requests('killed').length + EVENTS / 2)
    emitted.push(...(await inStore(store.id, (tx) => emitAll(tx, parcelMoved, steps))))
    await reached
    await killWorker(worker)
    await missHeartbeats()
  }
  await startWorkerProcess(t)
  await receiver.waitFor('killed', emitted.length)
  const arrivals = () =>
    receiver.requests('killed').map(({ headers, body }) => ({ id: headers['webhook-id'], body }))
  while (new Set(arrivals().map(({ id }) => id)).size < emitted.length)
    await receiver.waitFor('killed', receiver.requests('killed').length + 1)

  const bodies = new Map<unknown, Set<string>>()
  for (const { id, body } of arrivals()) bodies.set(id, (bodies.get(id) ?? new Set()).add(body))
  assert.deepEqual([...bodies.keys()].sort(), emitted.toSorted())
  assert.ok([...bodies.values()].every((said) => said.size === 1))
  assert.deepEqual(
    (await sequenceOf(store)).map(({ sequence, step }) => ({ sequence, step })),
    emitted.map((_, index) => ({ sequence: BigInt(index + 1), step: index })),
  )
})
