import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { countPendingReplies } from '#shared/platform/notify/reply-channel.ts'
import { browseCatalog } from '#shared/remote-catalog/browse-catalog.ts'
import { buildTill, connectTill } from '#test/support/builders/remote.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { withWorker } from '#test/support/processes/with-worker.ts'
import { until } from '#test/support/races/until.ts'

const CALLERS = 20

test('callers that share a reply continue in different turns of the event loop', async (t) => {
  const till = await buildTill()
  const store = await buildStore()
  const apiKey = await connectTill(store, till)
  let turn = 0
  let isRunning = true
  const count = async () => {
    for (; isRunning; turn++) await setImmediate()
  }
  t.after(() => {
    isRunning = false
  })
  void count()

  till.behave({ mode: 'hang' })
  const browsing = Array.from({ length: CALLERS }, async () => {
    await browseCatalog(store.id, { page: 1, page_size: 200 })
    return turn
  })
  const turns = withWorker(Promise.all(browsing))
  await till.untilHeld(1)
  await until('all callers wait for the reply', async () => countPendingReplies() === CALLERS)
  till.behave({ mode: 'normal' })
  till.release()
  const continued = await turns

  assert.equal(till.reads(apiKey).length, 1)
  assert.equal(new Set(continued).size, CALLERS)
})
