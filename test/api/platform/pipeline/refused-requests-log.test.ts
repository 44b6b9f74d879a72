import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Context } from 'koa'
import { logRequests } from '#api/platform/pipeline/request-log.ts'
import { accessLog } from '#shared/platform/log.ts'
import '#test/support/database.ts'

/** Handles requests that end with a status. */
async function handle(status: number, count: number): Promise<void> {
  const ctx = { get: () => '', set() {}, state: {}, method: 'GET', req: { url: '/' }, status }
  for (let n = 0; n < count; n++) await logRequests(ctx as unknown as Context, async () => {})
}

test('a flood of requests past their limits logs a hundred per second and how many more there were', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const lines = t.mock.method(accessLog, 'info', () => {})
  const summary = t.mock.method(accessLog, 'warn', () => {})

  await handle(429, 250)
  await handle(200, 5)
  const inFirst = lines.mock.callCount()
  t.mock.timers.tick(1_000)
  await handle(429, 3)
  t.mock.timers.tick(1_000)

  assert.equal(inFirst, 105)
  assert.equal(lines.mock.callCount(), 108)
  assert.deepEqual(
    summary.mock.calls.map(({ arguments: [entry] }) => entry),
    [{ requests: 150 }],
  )
})
