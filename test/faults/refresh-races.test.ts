import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { openSession } from '#shared/identity/sessions/open-session.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { baseUrl } from '#test/support/processes/app.ts'
import { startWebProcess } from '#test/support/processes/web-process.ts'

const SESSIONS = 200
const PARALLEL = 20

test(`${PARALLEL} parallel refreshes of each of ${SESSIONS} sessions over two web processes close no session`, async () => {
  const store = await buildStore()
  const urls = [baseUrl, await startWebProcess()]
  const accounts = [
    { type: 'customer', id: (await buildCustomer(store)).id },
    { type: 'staff', id: (await buildStaff(store, { role: 'owner' })).id },
  ] as const
  const refresh = async (refresh_token: string, i: number) => {
    const response = await fetch(`${urls[i % urls.length]}/api/v1/auth/refresh`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refresh_token }),
    })
    const { data } = (await response.json()) as { data: { refresh_token: string } | null }
    return `${response.status} ${data?.refresh_token}`
  }

  const successors: number[] = []
  for (let i = 0; i < SESSIONS; i++) {
    const account = accounts[i % 2] ?? accounts[0]
    const { refreshToken } = await inStore(store.id, (tx) =>
      openSession(tx, account, { ip: '127.0.0.1', userAgent: 'test' }),
    )
    const answers = await Promise.all(Array.from({ length: PARALLEL }, (_, n) => refresh(refreshToken, n)))
    const given = new Set(answers)
    for (const answer of given) assert.match(answer, /^200 cx_rt_/)
    successors.push(given.size)
  }

  assert.deepEqual(new Set(successors), new Set([1]))
  const sessions = await inStore(store.id, (tx) =>
    tx.knex('sessions').where('generation', '>', 1).select('generation', 'closed_at'),
  )
  assert.equal(sessions.length, SESSIONS)
  assert.ok(sessions.every(({ generation, closed_at }) => generation === 2 && closed_at === null))
  assert.equal((await inStore(store.id, (tx) => tx.knex('security_events'))).length, 0)
})
