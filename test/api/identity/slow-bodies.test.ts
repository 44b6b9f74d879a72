import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import '#test/support/database.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { type BuiltAccount, buildApiToken, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { baseUrl, request } from '#test/support/processes/app.ts'
import { until } from '#test/support/races/until.ts'

// The service counts a request after authentication and before it reads the body.
function setLimit(perMinute: number): void {
  process.env.LIMIT_ADMIN = String(perMinute)
  resetConfig()
}
before(() => setLimit(600))
after(() => setLimit(0))

/** Waits for a new rate limit window: the first authenticated request of an account opens one. */
const untilAuthenticated = (windowsBefore: number): Promise<void> =>
  until('the request is authenticated', async () => (await countWindows()) > windowsBefore)

const countWindows = async (): Promise<number> => Number((await db()('rate_limits').count({ n: '*' }))[0]?.n)

const post = (path: string, account: { token: string }, body: object, duringUpload: () => Promise<unknown>) =>
  send(path, account, ['application/json', JSON.stringify(body)], duringUpload)

/** Sends the first byte of a body, runs `duringUpload` after authentication, then sends the rest. */
async function send(
  path: string,
  { token }: { token: string },
  [type, body]: [string, string],
  duringUpload: () => Promise<unknown>,
) {
  const text = new TextEncoder().encode(body)
  const { readable, writable } = new TransformStream<Uint8Array>()
  const writer = writable.getWriter()
  const windows = await countWindows()
  const answer = fetch(`${baseUrl}/api/v1${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': type },
    body: readable,
    duplex: 'half',
  })
  await writer.write(text.slice(0, 1))
  await untilAuthenticated(windows)
  await duringUpload()
  await writer.write(text.slice(1))
  await writer.close()
  const response = await answer
  const { error_code } = (await response.json()) as { error_code: string | null }
  return { status: response.status, error_code }
}

const signOutEverywhere = (path: string, { refreshToken }: BuiltAccount) =>
  request(`POST ${path}/logout?all=true`, { body: { refresh_token: refreshToken } })

test('a session closed during an upload of the body returns 401 and creates no token and no account', async () => {
  const store = await buildStore()
  const [owner, administrator] = [
    await buildStaff(store, { role: 'owner' }),
    await buildStaff(store, { role: 'administrator' }),
  ]
  const token = { name: 'Kept back', rights: ['sales:read'] }
  const person = { email: 'late@example.test', firstname: 'L', lastname: 'R', role: 'administrator' }

  const issued = await post('/admin/api-tokens', owner, token, () => signOutEverywhere('/auth', owner))
  const added = await post('/admin/users', administrator, { ...person, password: PASSWORD }, () =>
    signOutEverywhere('/auth', administrator),
  )

  const refused = { status: 401, error_code: 'auth.session_revoked' }
  assert.deepEqual({ issued, added }, { issued: refused, added: refused })
})

test('a super-admin who signs out during an upload of the body opens no support session', async () => {
  const [store, root] = [await buildStore(), await buildSuperAdmin()]
  const visit = { reason: 'They asked for help', minutes: 60 }

  const answer = await post(`/super-admin/stores/${store.id}/sign-in`, root, visit, () =>
    signOutEverywhere('/super-admin/auth', root),
  )

  assert.deepEqual(answer, { status: 401, error_code: 'auth.session_revoked' })
})

test('a slow body with an open session returns 201', async () => {
  const owner = await buildStaff(await buildStore(), { role: 'owner' })

  const token = { name: 'Slow', rights: ['sales:read'] }

  assert.deepEqual(await post('/admin/api-tokens', owner, token, async () => {}), {
    status: 201,
    error_code: null,
  })
})

test('an import is refused when the caller loses the right during the upload', async () => {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  const [member, program] = [
    await buildStaff(store, { role: 'catalog' }),
    await buildApiToken(store, 'catalog:write'),
  ]
  const upload = (account: { token: string }, line: string, body?: object) =>
    send('/admin/products/import', account, ['text/csv', 'Handle,Title,Variant Price\ncup,Cup,9\n'], () =>
      request(line, { token: owner.token, ...(body ? { body } : {}) }),
    )

  const demoted = await upload(member, `PATCH /admin/users/${member.id}`, { role: 'analyst' })
  const revoked = await upload(program, `DELETE /admin/api-tokens/${program.id}`)

  assert.deepEqual(
    { demoted, revoked },
    {
      demoted: { status: 403, error_code: 'auth.forbidden' },
      revoked: { status: 401, error_code: 'auth.session_revoked' },
    },
  )
  assert.equal(await countQueued(store.id), 0)
})

const countQueued = (storeId: string): Promise<number> =>
  inStore(storeId, async (tx) => {
    const jobs = await tx.knex('import_jobs').where({ store_id: storeId })
    return jobs.filter(({ status }) => status !== 'uploading').length
  })
