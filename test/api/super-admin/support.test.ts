import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyPlatformToken } from '#shared/identity/sessions/access-token.ts'
import { db } from '#shared/platform/db/db.ts'
import { MINUTE_MS, SECOND_MS } from '#shared/platform/time/clock.ts'
import { buildCustomer, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
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

/** Another session of the super-admin, with a support session that it opened in the store. */
async function openFromAnotherSession(store: { id: string }, email: string) {
  const { data } = await request('POST /super-admin/auth/login', { body: { email, password: PASSWORD } })
  const open = async (): Promise<string> => {
    const body = { reason: 'Ticket 4712', minutes: 10 }
    const opened = await request(`POST /super-admin/stores/${store.id}/sign-in`, {
      token: data.access_token,
      body,
    })
    return opened.data.access_token
  }
  return { token: data.access_token as string, refreshToken: data.refresh_token as string, open }
}

const logout = (refresh_token: string, query = '') =>
  request(`POST /super-admin/auth/logout${query}`, { body: { refresh_token } })

const read = (token: string) => request('GET /admin/settings', { token })

test('the sign-out of a super-admin session revokes the support sessions that it opened, and no others', async () => {
  const { token, root, store } = await buildSupport()
  const other = await openFromAnotherSession(store, root.email)
  const kept = await other.open()

  const { status } = await logout(root.refreshToken)

  assert.equal(status, 200)
  assert.partialDeepStrictEqual(await read(token), { status: 401, error_code: 'auth.session_revoked' })
  assert.equal((await read(kept)).status, 200)
})

test('a super-admin session closed in the list revokes the support sessions that it opened, and no others', async () => {
  const { token, root, store } = await buildSupport()
  const other = await openFromAnotherSession(store, root.email)
  const kept = await other.open()
  const { sessionId } = verifyPlatformToken(root.token)

  const { status } = await request(`DELETE /super-admin/auth/sessions/${sessionId}`, { token: other.token })

  assert.equal(status, 200)
  assert.partialDeepStrictEqual(await read(token), { status: 401, error_code: 'auth.session_revoked' })
  assert.equal((await read(kept)).status, 200)
})

test('a reused refresh token of a super-admin revokes the support sessions of its session', async () => {
  const { token, root } = await buildSupport()
  const refresh = async (refresh_token: string) =>
    request('POST /super-admin/auth/refresh', { body: { refresh_token } })
  const { data } = await refresh(root.refreshToken)
  await refresh(data.refresh_token)
  assert.equal((await read(token)).status, 200)
  moveClock(5 * MINUTE_MS)

  const { error_code } = await refresh(root.refreshToken)

  assert.equal(error_code, 'auth.refresh_token_reused')
  assert.equal((await read(token)).error_code, 'auth.session_revoked')
})

test('all=true and a change of the password revoke every support session of the super-admin', async () => {
  const { token, root, store } = await buildSupport()
  const other = await openFromAnotherSession(store, root.email)
  const again = await other.open()
  await request('POST /super-admin/auth/password', {
    token: other.token,
    body: { current_password: PASSWORD, password: 'staple by staple' },
  })

  for (const one of [token, again]) assert.equal((await read(one)).error_code, 'auth.session_revoked')
  const later = await other.open()
  assert.equal((await read(later)).status, 200)
  await logout(other.refreshToken, '?all=true')
  assert.equal((await read(later)).error_code, 'auth.session_revoked')
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

test('a support session cannot anonymize customers, which outlasts it', async () => {
  const { token, allow, store } = await buildSupport()
  await allow()
  const { id } = await buildCustomer(store)

  const refused = await request(`POST /admin/customers/${id}/anonymize`, { token })

  assert.partialDeepStrictEqual(refused, { status: 403, error_code: 'auth.support_forbidden' })
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
