import assert from 'node:assert/strict'
import { test } from 'node:test'
import { db } from '#shared/platform/db/db.ts'
import { MINUTE_MS, SECOND_MS } from '#shared/platform/time/clock.ts'
import { buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSupport } from '#test/support/builders/support.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'

const CHANGE = { name: 'Harbor Goods' }

test('a support session reads as an administrator', async () => {
  const { signIn, token, store } = await buildSupport()

  assert.equal(signIn.status, 201)
  assert.equal(signIn.data.expires_in, 600)
  assert.equal(signIn.data.refresh_token, undefined)
  assert.equal((await request('GET /admin/settings', { token })).data.slug, store.slug)
})

test("both logs show the sign-in with its reason, and each change with the super-admin's email", async () => {
  const { store, root, owner, token, allow } = await buildSupport()
  await allow()
  await request('PATCH /admin/settings', { token, body: CHANGE })

  const own = await request('GET /admin/audit-log?actor_type=super_admin', { token: owner.token })
  const platform = await request(`GET /super-admin/audit-log?store_id=${store.id}`, { token: root.token })

  for (const { data } of [own, platform]) {
    assert.deepEqual(
      data.map(({ action }: { action: string }) => action),
      ['patchAdminSettings', 'postSuperAdminStoresIdSignIn'],
    )
    for (const { actor } of data)
      assert.partialDeepStrictEqual(actor, { type: 'super_admin', email: root.email })
    assert.equal(data[1].after.reason, 'Ticket 4711')
    assert.equal(data[1].after.access_token, '[secret]')
  }
})

test('a support session expires after the requested minutes', async () => {
  const { token } = await buildSupport(10)

  moveClock(10 * MINUTE_MS + SECOND_MS)

  assert.equal((await request('GET /admin/settings', { token })).error_code, 'auth.token_expired')
})

test('deactivating the super-admin revokes the support session', async () => {
  const { token, root } = await buildSupport()

  await db()('super_admins').where('id', root.id).update({ is_active: false })

  assert.equal((await request('GET /admin/settings', { token })).error_code, 'auth.session_revoked')
})

test('a support session survives the sign-out of one session; all=true and a password change revoke it', async () => {
  const { token, root, store } = await buildSupport()
  const { data: other } = await request('POST /super-admin/auth/login', {
    body: { email: root.email, password: PASSWORD },
  })
  const logout = (query: string, refresh_token: string) =>
    request(`POST /super-admin/auth/logout${query}`, { body: { refresh_token } })

  await logout('', root.refreshToken)
  assert.equal((await request('GET /admin/settings', { token })).status, 200)
  const again = await request(`POST /super-admin/stores/${store.id}/sign-in`, {
    token: other.access_token,
    body: { reason: 'Ticket 4712', minutes: 10 },
  })
  await request('POST /super-admin/auth/password', {
    token: other.access_token,
    body: { current_password: PASSWORD, password: 'staple by staple' },
  })

  for (const one of [token, again.data.access_token])
    assert.equal((await request('GET /admin/settings', { token: one })).error_code, 'auth.session_revoked')
  const { data: later } = await request(`POST /super-admin/stores/${store.id}/sign-in`, {
    token: other.access_token,
    body: { reason: 'Ticket 4713', minutes: 10 },
  })
  assert.equal((await request('GET /admin/settings', { token: later.access_token })).status, 200)
  await logout('?all=true', other.refresh_token)
  const ended = await request('GET /admin/settings', { token: later.access_token })
  assert.equal(ended.error_code, 'auth.session_revoked')
})

test('a support session reaches neither other stores nor the platform API', async () => {
  const { token } = await buildSupport()
  const other = await buildStore()
  const { data } = await request('POST /admin/webhooks', {
    token: (await buildStaff(other, { role: 'owner' })).token,
    body: { url: 'http://127.0.0.1:9/hook', events: ['order.*'] },
  })

  assert.equal((await request(`GET /admin/webhooks/${data.id}`, { token })).status, 404)
  assert.equal((await request('GET /super-admin/stores', { token })).error_code, 'auth.not_authenticated')
})

test("a support session cannot change users, credentials, domains, mail links or the store's e-mail address", async () => {
  const { token, allow, store } = await buildSupport()
  await allow()

  const own = ['GET /auth/me', 'POST /auth/password', 'POST /auth/email', 'POST /auth/email/confirm']
  for (const line of ['GET /admin/users', 'POST /admin/roles', 'POST /admin/domains', ...own])
    assert.equal((await request(line, { token })).error_code, 'auth.support_forbidden', line)
  const links = { reset_password: 'https://shop.example/reset' }
  const relinked = await request('PATCH /admin/settings', { token, body: { links } })
  assert.equal(relinked.error_code, 'auth.support_forbidden')
  // Questions and the replies of customers would go to it for ever.
  const redirected = await request(`PATCH /admin/stores/${store.id}`, {
    token,
    body: { email: 'support@platform.example' },
  })
  assert.equal(redirected.error_code, 'auth.support_forbidden')
})

test('a support session requires a reason, at most 60 minutes and an active store', async () => {
  const { store, root } = await buildSupport()
  const signIn = (body: object) =>
    request(`POST /super-admin/stores/${store.id}/sign-in`, { token: root.token, body })

  assert.equal((await signIn({ minutes: 10 })).status, 422)
  assert.equal((await signIn({ reason: 'x', minutes: 61 })).status, 422)
  await request(`POST /super-admin/stores/${store.id}/suspend`, { token: root.token })
  assert.equal((await signIn({ reason: 'x', minutes: 5 })).error_code, 'store.not_active')
})
