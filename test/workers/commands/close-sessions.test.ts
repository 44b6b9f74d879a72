import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildApiToken, buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { request } from '#test/support/processes/app.ts'
import { closeSessions } from '#workers/commands/close-sessions.ts'

test('the command closes all sessions of all stores and the platform; accounts can sign in again', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const customer = await buildCustomer(store)
  const member = await buildStaff(other, { role: 'support' })
  const root = await buildSuperAdmin()
  const program = await buildApiToken(store, 'sales:read')
  const said: string[] = []

  await closeSessions((line) => said.push(line))
  const answers = [
    await request('GET /auth/me', { store, token: customer.token }),
    await request('POST /auth/refresh', { store, body: { refresh_token: customer.refreshToken } }),
    await request('GET /auth/me', { token: member.token }),
    await request('GET /super-admin/auth/me', { token: root.token }),
    await request('POST /super-admin/auth/refresh', { body: { refresh_token: root.refreshToken } }),
  ]

  assert.deepEqual(
    answers.map(({ error_code }) => error_code),
    Array(answers.length).fill('auth.session_revoked'),
  )
  assert.match(said.at(-1) ?? '', /^\d+ sessions closed in all, in \d+ stores$/)
  const { email, password } = customer
  assert.equal((await request('POST /auth/login', { store, body: { email, password } })).status, 200)
  assert.equal((await request('GET /admin/orders', { token: program.token })).status, 200)
})
