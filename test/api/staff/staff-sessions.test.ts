import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildRole, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildAdministrator, newcomer, signIn } from '#test/support/builders/administrator.ts'
import { buildTwoFactor } from '#test/support/builders/two-factor.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'

test('a change of role applies from the next request', async () => {
  const { store, as } = await buildAdministrator()
  const { id, token } = await buildStaff(store, { role: 'sales' })
  await buildRole(store, { name: 'people', rights: ['users:read'] })

  const { data } = await as(`PATCH /admin/users/${id}`, { body: { role: 'people', lastname: 'Murray' } })
  const asked = await request('GET /admin/users', { token })
  const lost = await request('GET /admin/orders', { token })

  assert.partialDeepStrictEqual(data, { role: 'people', firstname: 'Grace', lastname: 'Murray' })
  assert.deepEqual(
    { status: asked.status, error_code: lost.error_code },
    { status: 200, error_code: 'auth.forbidden' },
  )
})

test('deactivation closes the sessions; reactivation allows a new sign-in', async () => {
  const { store, as } = await buildAdministrator()
  const { id, email, token, refreshToken } = await buildStaff(store, { role: 'sales' })

  await as(`PATCH /admin/users/${id}`, { body: { is_active: false } })
  const asked = await request('GET /admin/orders', { token })
  const refreshed = await request('POST /auth/refresh', { body: { refresh_token: refreshToken } })
  const refused = await signIn(email)
  await as(`PATCH /admin/users/${id}`, { body: { is_active: true } })
  const stillOut = await request('GET /admin/orders', { token })
  const back = await signIn(email)

  const closed = 'auth.session_revoked'
  assert.deepEqual(
    {
      asked_error_code: asked.error_code,
      refreshed_error_code: refreshed.error_code,
      refused_error_code: refused.error_code,
      stillOut_error_code: stillOut.error_code,
      status: back.status,
    },
    {
      asked_error_code: closed,
      refreshed_error_code: closed,
      refused_error_code: 'auth.invalid_credentials',
      stillOut_error_code: closed,
      status: 200,
    },
  )
})

test('removal closes the sessions and frees the address', async () => {
  const { store, as } = await buildAdministrator()
  const { id, email, token } = await buildStaff(store, { role: 'sales' })

  const { status, data } = await as(`DELETE /admin/users/${id}`)
  const asked = await request('GET /admin/orders', { token })
  const again = await as(`DELETE /admin/users/${id}`)
  const entries = await db()('staff_directory').where({ staff_id: id })
  const reused = await as('POST /admin/users', { body: { ...newcomer(), email, password: PASSWORD } })

  assert.deepEqual(
    { status, data, error_code: asked.error_code, againStatus: again.status },
    { status: 200, data: null, error_code: 'auth.session_revoked', againStatus: 404 },
  )
  assert.deepEqual({ entries, status: reused.status }, { entries: [], status: 201 })
})

test('removal deletes the second factor and the recovery codes', async () => {
  const { store, as } = await buildAdministrator()
  const { id } = await buildStaff(store, { role: 'sales' })
  await buildTwoFactor(store, { type: 'staff', id })
  const kept = () =>
    inStore(store.id, async ({ knex }) => {
      const rows = ['two_factor', 'recovery_codes'].map((table) => knex(table).where({ account_id: id }))
      return (await Promise.all(rows)).flat().length
    })
  assert.equal(await kept(), 11)

  await as(`DELETE /admin/users/${id}`)

  assert.equal(await kept(), 0)
})

test('a revocation closes every session of the member and no other', async () => {
  const { store, me, as } = await buildAdministrator()
  const { id, email, token } = await buildStaff(store, { role: 'sales' })
  const second = (await signIn(email)).data.access_token

  const { status, data } = await as(`POST /admin/users/${id}/sessions/revoke`)
  const answers = [
    (await request('GET /admin/orders', { token })).status,
    (await request('GET /admin/orders', { token: second })).status,
    (await request('GET /admin/orders', { token: me.token })).status,
    (await signIn(email)).status,
  ]

  assert.deepEqual({ status, data, answers }, { status: 200, data: null, answers: [401, 401, 200, 200] })
})

test('a reset of the second factor closes the sessions and sends a mail', async () => {
  const { store, as } = await buildAdministrator()
  const member = await buildStaff(store, { role: 'sales' })
  await buildTwoFactor(store, { type: 'staff', id: member.id })
  const locked = await signIn(member.email)
  const path = `/admin/users/${member.id}/2fa/reset`

  const { status, data } = await as(`POST ${path}`)
  const again = await as(`POST ${path}`)
  await drainJobs()

  assert.deepEqual(
    { error_code: locked.error_code, status, data },
    { error_code: 'auth.totp_required', status: 200, data: null },
  )
  assert.equal((await request('GET /auth/me', { token: member.token })).error_code, 'auth.session_revoked')
  assert.equal((await signIn(member.email)).status, 200)
  assert.equal(again.error_code, 'auth.totp_not_enabled')
  assert.match(mailbox.mails(member.email)[0]?.subject ?? '', /^Two-factor sign-in .* is off$/)
})

test("resetting one's own, the owner's or a more privileged member's second factor returns its error", async () => {
  const { store, me, as } = await buildAdministrator()
  await buildRole(store, { name: 'people-lead', rights: ['users:read', 'users:write'] })
  const lead = await buildStaff(store, { role: 'people-lead' })
  const owner = await buildStaff(store, { role: 'owner' })
  for (const { id } of [me, owner]) await buildTwoFactor(store, { type: 'staff', id })
  const reset = ({ id }: { id: string }) => `POST /admin/users/${id}/2fa/reset`

  const refused = [
    await as(reset({ id: me.id.toUpperCase() })),
    await as(reset(owner)),
    await request(reset(owner), { token: owner.token }),
    await request(reset(me), { token: lead.token }),
  ]

  assert.deepEqual(
    refused.map(({ error_code }) => error_code),
    ['user.own_two_factor', 'user.owner_protected', 'user.own_two_factor', 'user.privilege_escalation'],
  )
})
