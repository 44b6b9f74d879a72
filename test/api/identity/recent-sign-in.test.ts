import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import '#test/support/database.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { MINUTE_MS, SECOND_MS } from '#shared/platform/time/clock.ts'
import { type BuiltAccount, buildApiToken, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { buildSupport } from '#test/support/builders/support.ts'
import {
  buildSuperAdminTwoFactor,
  buildTwoFactor,
  codeOf,
  wrongCode,
} from '#test/support/builders/two-factor.ts'
import { moveClock } from '#test/support/clock.ts'
import { countStatements } from '#test/support/measure/count-statements.ts'
import { type ApiResponse, request } from '#test/support/processes/app.ts'

type Base = '/auth' | '/super-admin/auth'

const required = { status: 403, error_code: 'auth.reauthentication_required' }
const outcomeOf = ({ status, error_code }: ApiResponse) => ({ status, error_code })

afterEach(async () => {
  process.env.LIMIT_FAILURES = '0'
  resetConfig()
  await db()('rate_limits').delete()
})

/** Exchanges the refresh token of a session for a new pair, as clients do every 15 minutes. */
async function renewTokens(account: BuiltAccount, base: Base = '/auth'): Promise<BuiltAccount> {
  const { data } = await request(`POST ${base}/refresh`, { body: { refresh_token: account.refreshToken } })
  return { ...account, token: data.access_token, refreshToken: data.refresh_token }
}

/** The session of an account an hour after its sign-in. */
function inAnHour(account: BuiltAccount, base: Base = '/auth'): Promise<BuiltAccount> {
  moveClock(61 * MINUTE_MS)
  return renewTokens(account, base)
}

const reauthenticate = ({ token }: BuiltAccount, body: object = {}, base: Base = '/auth') =>
  request(`POST ${base}/reauthenticate`, { token, body: { current_password: PASSWORD, ...body } })

const roleNamed = (name: string) => ({ name, rights: ['sales:read'] })
const createRole = ({ token }: BuiltAccount, name: string, key?: string) =>
  request('POST /admin/roles', { token, body: roleNamed(name), ...(key ? { key } : {}) })

async function namesOfRoles({ token }: BuiltAccount): Promise<string[]> {
  const { data } = await request('GET /admin/roles?page_size=100', { token })
  return data.map(({ name }: { name: string }) => name)
}

/** An owner with a session of an hour ago. */
async function buildOwner() {
  const store = await buildStore()
  const fresh = await buildStaff(store, { role: 'owner' })
  return { store, fresh }
}

test('a new session of staff creates a role, after an hour it returns 403, and a renewed one creates it', async () => {
  const { fresh } = await buildOwner()
  assert.equal((await createRole(fresh, 'first')).status, 201)

  const old = await inAnHour(fresh)
  const refused = await createRole(old, 'second')

  assert.deepEqual(outcomeOf(refused), required)
  assert.match(refused.error ?? '', /POST \/auth\/reauthenticate/)
  assert.ok(!(await namesOfRoles(old)).includes('second'))
  assert.deepEqual(outcomeOf(await reauthenticate(old)), { status: 200, error_code: null })
  assert.equal((await createRole(old, 'second')).status, 201)
})

test('a new session of a super-admin opens a support session, after an hour only a renewed one does', async () => {
  const store = await buildStore()
  await buildStaff(store, { role: 'owner' })
  const base = '/super-admin/auth'
  const fresh = await buildSuperAdmin()
  const signInToStore = ({ token }: BuiltAccount) =>
    request(`POST /super-admin/stores/${store.id}/sign-in`, {
      token,
      body: { reason: 'Ticket 1', minutes: 5 },
    })
  assert.equal((await signInToStore(fresh)).status, 201)

  const old = await inAnHour(fresh, base)

  assert.deepEqual(outcomeOf(await signInToStore(old)), required)
  assert.equal((await reauthenticate(old, {}, base)).status, 200)
  assert.equal((await signInToStore(old)).status, 201)
})

test('a sign-in counts for 60 minutes, and a refresh does not renew it', async () => {
  const { fresh } = await buildOwner()

  moveClock(59 * MINUTE_MS)
  const renewed = await renewTokens(fresh)
  assert.equal((await createRole(renewed, 'first')).status, 201)
  moveClock(60 * MINUTE_MS + SECOND_MS)

  assert.deepEqual(outcomeOf(await createRole(renewed, 'second')), required)
})

test('another session of the account is not renewed, and a new one needs no renewal', async () => {
  const { fresh } = await buildOwner()
  const signIn = async () => {
    const { data } = await request('POST /auth/login', { body: { email: fresh.email, password: PASSWORD } })
    return { ...fresh, token: data.access_token, refreshToken: data.refresh_token }
  }
  const other = await signIn()
  const old = await inAnHour(fresh)

  await reauthenticate(old)

  assert.deepEqual(outcomeOf(await createRole(await renewTokens(other), 'first')), required)
  assert.equal((await createRole(await signIn(), 'first')).status, 201)
})

for (const [title, base, build] of [
  [
    'staff',
    '/auth',
    async () => {
      const { store, fresh } = await buildOwner()
      return { fresh, ...(await buildTwoFactor(store, { type: 'staff', id: fresh.id })) }
    },
  ],
  [
    'super-admins',
    '/super-admin/auth',
    async () => {
      const fresh = await buildSuperAdmin()
      return { fresh, ...(await buildSuperAdminTwoFactor(fresh)) }
    },
  ],
] as const)
  test(`the renewal of ${title} needs the password and the second factor of the account`, async () => {
    const { fresh, secret, recoveryCodes } = await build()
    const old = await inAnHour(fresh, base)
    const outcome = async (body: object) => outcomeOf(await reauthenticate(old, body, base))
    const isRefused = async () => {
      const line =
        base === '/auth' ? 'POST /admin/roles' : `DELETE /super-admin/stores/${(await buildStore()).id}`
      const body = base === '/auth' ? { body: roleNamed(`role-${nextNumber()}`) } : {}
      return (await request(line, { token: old.token, ...body })).status === 403
    }

    const guess = { current_password: 'a guess', totp_code: codeOf(secret) }
    assert.deepEqual(await outcome(guess), { status: 401, error_code: 'auth.invalid_credentials' })
    assert.deepEqual(await outcome({}), { status: 401, error_code: 'auth.totp_required' })
    const wrong = { totp_code: wrongCode(secret) }
    assert.deepEqual(await outcome(wrong), { status: 401, error_code: 'auth.totp_invalid' })
    assert.ok(await isRefused())

    assert.equal((await outcome({ totp_code: codeOf(secret) })).status, 200)
    assert.ok(!(await isRefused()))
    assert.equal((await outcome({ recovery_code: recoveryCodes[0] })).status, 200)
  })

test('a wrong password does not renew, and past the limit of failures the right one returns 429', async () => {
  const { fresh } = await buildOwner()
  const old = await inAnHour(fresh)
  process.env.LIMIT_FAILURES = '2'
  resetConfig()
  const guess = async (password: string) =>
    outcomeOf(await reauthenticate(old, { current_password: password }))

  const wrong = { status: 401, error_code: 'auth.invalid_credentials' }
  assert.deepEqual([await guess('a guess'), await guess('b guess')], [wrong, wrong])
  await guess('c guess')

  assert.deepEqual(await guess(PASSWORD), { status: 429, error_code: 'rate_limit.exceeded' })
  assert.deepEqual(outcomeOf(await createRole(old, 'first')), required)
})

test('wrong codes are counted with those of the sign-in', async () => {
  const { store, fresh } = await buildOwner()
  const { secret } = await buildTwoFactor(store, { type: 'staff', id: fresh.id })
  const old = await inAnHour(fresh)
  process.env.LIMIT_FAILURES = '2'
  resetConfig()

  for (let i = 0; i < 3; i++) await reauthenticate(old, { totp_code: wrongCode(secret) })

  const right = await reauthenticate(old, { totp_code: codeOf(secret) })
  assert.deepEqual(outcomeOf(right), { status: 429, error_code: 'rate_limit.exceeded' })
})

test('a refused request with an Idempotency-Key is made after the renewal, and replayed only to a renewed session', async () => {
  const { fresh } = await buildOwner()
  const [early, late] = [newId(), newId()]
  await createRole(fresh, 'first', early)
  const old = await inAnHour(fresh)

  assert.deepEqual(outcomeOf(await createRole(old, 'first', early)), required)
  assert.deepEqual(outcomeOf(await createRole(old, 'second', late)), required)
  await reauthenticate(old)

  const [replayed, made] = [await createRole(old, 'first', early), await createRole(old, 'second', late)]
  assert.equal(replayed.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(
    { status: made.status, replayed: made.headers.get('idempotent-replayed') },
    { status: 201, replayed: null },
  )
})

test('only bodies with the marked fields need a recent sign-in', async () => {
  const { store, fresh } = await buildOwner()
  const { data: ada } = await request('POST /admin/customers', {
    token: fresh.token,
    body: { email: `ada-${nextNumber()}@example.test`, firstname: 'Ada', lastname: 'Byron' },
  })
  const { token } = await inAnHour(fresh)
  const changeCustomer = (body: object) => request(`PATCH /admin/customers/${ada.id}`, { token, body })

  assert.equal((await changeCustomer({ note: 'Called' })).status, 200)
  assert.deepEqual(outcomeOf(await changeCustomer({ email: 'eve@example.test' })), required)
  for (const path of ['/admin/settings', `/admin/stores/${store.id}`]) {
    const changeSettings = async (body: object) => outcomeOf(await request(`PATCH ${path}`, { token, body }))
    assert.equal((await changeSettings({ name: 'Renamed' })).status, 200, path)
    const links = { reset_password: 'https://eve.example/reset' }
    assert.deepEqual(await changeSettings({ links }), required, path)
    assert.deepEqual(await changeSettings({ email: 'eve@example.test' }), required, path)
  }
})

test('an API token needs no recent sign-in', async () => {
  const { store, fresh } = await buildOwner()
  const program = await buildApiToken(store, 'system:read', 'system:write')
  const { token } = await inAnHour(fresh)
  const change = (caller: string) =>
    request('PATCH /admin/payment-methods/bank_transfer', { token: caller, body: { is_active: true } })

  assert.deepEqual(outcomeOf(await change(token)), required)
  assert.equal((await change(program.token)).status, 200)
})

test('a support session does not renew a sign-in and counts as none', async () => {
  const { token, allow, owner } = await buildSupport()
  await allow()
  const { data: ada } = await request('POST /admin/customers', {
    token: owner.token,
    body: { email: `ada-${nextNumber()}@example.test`, firstname: 'Ada', lastname: 'Byron' },
  })
  const forbidden = { status: 403, error_code: 'auth.support_forbidden' }

  const renewed = await request('POST /auth/reauthenticate', { token, body: { current_password: PASSWORD } })
  const changed = await request(`PATCH /admin/customers/${ada.id}`, {
    token,
    body: { email: 'eve@example.test' },
  })

  assert.deepEqual([outcomeOf(renewed), outcomeOf(changed)], [forbidden, forbidden])
})

test('the check sends no statement of its own', async () => {
  const { fresh } = await buildOwner()
  const patch = (token: string, body: object) => request('PATCH /admin/roles/owner', { token, body })
  const { token } = await inAnHour(fresh)
  await patch(token, roleNamed('warm'))

  const refusedBody = await countStatements(() => patch(token, { unknown: true }))
  const refusedAge = await countStatements(() => patch(token, roleNamed('owner')))

  assert.equal(refusedAge, refusedBody)
})

test('a renewal is in the audit log without the password', async () => {
  const { fresh } = await buildOwner()

  await reauthenticate(fresh)

  const { data } = await request('GET /admin/audit-log?action=postAuthReauthenticate', { token: fresh.token })
  assert.equal(data.length, 1)
  assert.partialDeepStrictEqual(data[0], { action: 'postAuthReauthenticate' })
  assert.ok(!JSON.stringify(data).includes(PASSWORD))
})
