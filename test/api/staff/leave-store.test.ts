import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildApiToken, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { newcomer, signIn } from '#test/support/builders/administrator.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSupport } from '#test/support/builders/support.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'

async function buildScene({ role = 'sales' } = {}) {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  const member = await buildStaff(store, { role })
  return { store, owner, member }
}

const leave = (token: string, current_password = PASSWORD) =>
  request('POST /auth/me/delete', { token, body: { current_password } })

test('a member without any right leaves the store by the password, and the address is free', async () => {
  const { owner, member } = await buildScene()
  const { token: elsewhere } = await buildStaff(await buildStore(), { role: 'owner' })

  const left = await leave(member.token)
  const asked = await request('GET /auth/me', { token: member.token })
  const found = await request(`GET /admin/users/${member.id}`, { token: owner.token })
  const body = { ...newcomer(), email: member.email, password: PASSWORD }
  const added = await request('POST /admin/users', { token: elsewhere, body })

  assert.partialDeepStrictEqual(left, { status: 200, data: null })
  assert.equal(asked.error_code, 'auth.session_revoked')
  assert.equal(found.status, 404)
  assert.equal(added.status, 201)
})

test('a wrong password does not leave the store', async () => {
  const { member } = await buildScene()

  const { error_code } = await leave(member.token, 'not the password')

  assert.equal(error_code, 'auth.invalid_credentials')
  assert.equal((await signIn(member.email)).status, 200)
})

test('the owner cannot leave the store', async () => {
  const { owner } = await buildScene({ role: 'administrator' })

  assert.partialDeepStrictEqual(await leave(owner.token), { status: 403, error_code: 'user.owner_protected' })
})

test('the last administrator of a store without an owner cannot leave it', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })

  assert.partialDeepStrictEqual(await leave(token), { status: 409, error_code: 'user.last_admin' })
})

test('a support session and an API token cannot leave the store', async () => {
  const { store, token, allow } = await buildSupport()
  await allow()
  const program = await buildApiToken(store, 'system:read')

  assert.equal((await leave(token)).error_code, 'auth.support_forbidden')
  assert.equal((await leave(program.token)).error_code, 'auth.api_token_forbidden')
})

test('the audit log names the member who left, with the account before', async () => {
  const { owner, member } = await buildScene()

  await leave(member.token)
  const { data } = await request('GET /admin/audit-log?action=postAuthMeDelete', { token: owner.token })

  assert.equal(data.length, 1)
  assert.partialDeepStrictEqual(data[0], {
    resource: { type: 'users', id: member.id },
    actor: { id: member.id, email: member.email },
    before: { email: member.email },
    after: null,
  })
})

test('the owner is mailed what a member who leaves has set up', async () => {
  const { owner, member } = await buildScene({ role: 'administrator' })
  const body = { url: 'http://localhost:9001/orders', events: ['order.*'] }
  await request('POST /admin/webhooks', { token: member.token, body })

  await leave(member.token)
  await drainJobs()

  const [mail] = mailbox.mails(owner.email).filter(({ subject }) => subject.includes('still works'))
  assert.match(mail?.text ?? '', new RegExp(`${member.email} left the staff of Store`))
  assert.match(mail?.text ?? '', /Webhook: localhost:9001/)
})
