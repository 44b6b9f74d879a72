import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { StaffMember } from '#shared/staff/staff-member.ts'
import { buildApiToken, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { newcomer } from '#test/support/builders/administrator.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox, tokenIn } from '#test/support/processes/mailbox.ts'

const PATH = 'POST /admin/owner/transfer'

async function buildOwner() {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  const transfer = (user_id: string, current_password = PASSWORD, token = owner.token) =>
    request(PATH, { token, body: { user_id, current_password } })
  const owners = () => inStore(store.id, (tx) => StaffMember.in(tx).where({ is_owner: true }))
  return { store, owner, transfer, owners }
}

test('a transfer makes the member the owner and the former owner an administrator', async () => {
  const { store, owner, transfer, owners } = await buildOwner()
  const heir = await buildStaff(store, { role: 'sales' })

  const { status, data } = await transfer(heir.id)
  const before = await request('GET /auth/me', { token: owner.token })
  const after = await request('GET /auth/me', { token: heir.token })

  assert.deepEqual(
    { status, id: data.id, role: data.role, is_owner: data.is_owner },
    { status: 200, id: heir.id, role: 'owner', is_owner: true },
  )
  assert.partialDeepStrictEqual(before.data, { role: 'administrator', is_owner: false })
  assert.partialDeepStrictEqual(after.data, { role: 'owner', is_owner: true })
  assert.deepEqual(
    (await owners()).map(({ id }) => id),
    [heir.id],
  )
})

test('a transfer by an administrator, an API token or a former owner returns 403', async () => {
  const { store, owner, transfer } = await buildOwner()
  const admin = await buildStaff(store, { role: 'administrator' })
  const { token } = await buildApiToken(store, 'users:write')

  const byAdmin = await transfer(admin.id, PASSWORD, admin.token)
  const byProgram = await transfer(admin.id, PASSWORD, token)
  await transfer(admin.id)
  const byFormer = await transfer(owner.id)

  assert.partialDeepStrictEqual(byAdmin, { status: 403, error_code: 'user.owner_only' })
  assert.partialDeepStrictEqual(byProgram, { status: 403, error_code: 'auth.api_token_forbidden' })
  assert.equal(byFormer.error_code, 'user.owner_only')
})

test('a wrong current password returns 401 and keeps the owner', async () => {
  const { store, transfer, owner, owners } = await buildOwner()
  const heir = await buildStaff(store, { role: 'sales' })

  const { status, error_code } = await transfer(heir.id, 'wrong password')

  assert.deepEqual({ status, error_code }, { status: 401, error_code: 'auth.invalid_credentials' })
  assert.equal((await owners())[0]?.id, owner.id)
})

test('a wrong password returns 429 after the limit', async () => {
  const { store, transfer } = await buildOwner()
  const heir = await buildStaff(store, { role: 'sales' })
  const { LIMIT_CODES } = process.env
  process.env.LIMIT_CODES = '3'
  resetConfig()

  const guesses = []
  for (let n = 0; n < 4; n++) guesses.push((await transfer(heir.id, `guess ${n}`)).status)
  if (LIMIT_CODES) process.env.LIMIT_CODES = LIMIT_CODES
  else delete process.env.LIMIT_CODES
  resetConfig()

  assert.deepEqual(guesses, [401, 401, 401, 429])
})

test('an inactive member or the owner returns 422, a member of another store 404', async () => {
  const { store, owner, transfer, owners } = await buildOwner()
  const off = await buildStaff(store, { role: 'sales' })
  const stranger = await buildStaff(await buildStore(), { role: 'sales' })
  await request(`PATCH /admin/users/${off.id}`, { token: owner.token, body: { is_active: false } })

  const [inactive, self, unknown] = [
    await transfer(off.id),
    await transfer(owner.id),
    await transfer(stranger.id),
  ]

  assert.deepEqual(
    { status: inactive.status, loc: inactive.detail[0].loc },
    { status: 422, loc: ['body', 'user_id'] },
  )
  assert.deepEqual({ self: self.status, unknown: unknown.status }, { self: 422, unknown: 404 })
  assert.equal((await owners())[0]?.id, owner.id)
})

test('a member who has not proven the address returns 409 user.email_unproven, until a password is chosen by a mailed link', async () => {
  const { owner, transfer, owners } = await buildOwner()
  const { data: heir } = await request('POST /admin/users', {
    token: owner.token,
    body: { ...newcomer(), password: PASSWORD },
  })

  const refused = await transfer(heir.id)
  const unchanged = await owners()
  await request('POST /auth/password/forgot', { body: { email: heir.email } })
  await drainJobs()
  const mail = mailbox.mails(heir.email).find(({ text }) => text.includes('#token='))
  assert.ok(mail)
  await request('POST /auth/password/reset', { body: { token: tokenIn(mail), password: 'staple by staple' } })
  const accepted = await transfer(heir.id)

  assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'user.email_unproven' })
  assert.deepEqual(
    unchanged.map(({ id }) => id),
    [owner.id],
  )
  assert.partialDeepStrictEqual(accepted, { status: 200, data: { id: heir.id, is_owner: true } })
})

test('concurrent transfers leave one owner', async () => {
  const { store, transfer, owners } = await buildOwner()
  const heirs = [await buildStaff(store, { role: 'sales' }), await buildStaff(store, { role: 'content' })]

  const answers = await Promise.all(heirs.map(({ id }) => transfer(id)))

  const codes = answers.map(({ error_code }) => error_code).sort()
  assert.deepEqual(codes, ['user.owner_only', null].sort())
  assert.equal((await owners()).length, 1)
})
