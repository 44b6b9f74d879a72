import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { freePort } from '#test/sandbox/start/ports.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { sendHostileBodies } from './hostile-bodies.ts'
import { startService } from './service.ts'

const BODIES = 400
const MAX_GROWTH_MIB = 50

test('400 hostile bodies are refused, and cost the process neither memory nor its event loop', async (t) => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  const port = await freePort(0)
  await using service = await startService(
    { ...process.env, METRICS_PORT: String(port) },
    { webs: 1, workers: 0 },
  )

  const target = { url: `${service.url}/api/v1`, metricsUrl: `http://127.0.0.1:${port}/metrics`, token }
  const { statuses, loopDelayMs, slowest, growthMib } = await sendHostileBodies(target, BODIES)

  // How long the loop is blocked depends on the machine's load, too: 50 ms are meant.
  t.diagnostic(
    `longest event-loop delay ${loopDelayMs} ms, alone ${slowest.loopDelayMs} ms by ${slowest.kind}, growth ${growthMib} MiB, ${JSON.stringify(statuses)}`,
  )
  assert.deepEqual(
    Object.keys(statuses).filter((status) => !['400', '413', '422', '429'].includes(status)),
    [],
  )
  assert.ok(growthMib < MAX_GROWTH_MIB, `${growthMib} MiB`)
  assert.ok(service.isAlive)
})
