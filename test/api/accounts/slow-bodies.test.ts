import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import '#test/support/database.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { baseUrl, request } from '#test/support/app.ts'
import { buildStore } from '#test/support/build.ts'
import { type BuiltAccount, buildApiToken, buildStaff, PASSWORD } from '#test/support/build-accounts.ts'
import { buildSuperAdmin } from '#test/support/build-super-admin.ts'
import { until } from '#test/support/until.ts'

// A request is counted once it was let in, and before its body is read.
function setLimit(perMinute: number): void {
  process.env.LIMIT_ADMIN = String(perMinute)
  resetConfig()
}
before(() => setLimit(600))
after(() => setLimit(0))

/** Whoever is let in for the first time opens a limit's window. */
const untilLetIn = (windowsBefore: number): Promise<void> =>
  until('the request is authenticated', async () => (await countWindows()) > windowsBefore)

const countWindows = async (): Promise<number> => Number((await db()('rate_limits').count({ n: '*' }))[0]?.n)

const post = (path: string, account: { token: string }, body: object, meanwhile: () => Promise<unknown>) =>
  send(path, account, ['application/json', JSON.stringify(body)], meanwhile)

/** Sends a body of which the end is held back until something has happened. */
async function send(
  path: string,
  { token }: { token: string },
  [type, body]: [string, string],
  meanwhile: () => Promise<unknown>,
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
  await untilLetIn(windows)
  await meanwhile()
  await writer.write(text.slice(1))
  await writer.close()
  const response = await answer
  const { error_code } = (await response.json()) as { error_code: string | null }
  return [response.status, error_code]
}

const leave = (path: string, { refreshToken }: BuiltAccount) =>
  request(`POST ${path}/logout?all=true`, { body: { refresh_token: refreshToken } })

test('a session that is closed while a body is held back makes neither token nor account', async () => {
  const store = await buildStore()
  const [owner, administrator] = [
    await buildStaff(store, { role: 'owner' }),
    await buildStaff(store, { role: 'administrator' }),
  ]
  const token = { name: 'Kept back', rights: ['sales:read'] }
  const person = { email: 'late@example.test', firstname: 'L', lastname: 'R', role: 'administrator' }

  const issued = await post('/admin/api-tokens', owner, token, () => leave('/auth', owner))
  const added = await post('/admin/users', administrator, { ...person, password: PASSWORD }, () =>
    leave('/auth', administrator),
  )

  const refused = [401, 'auth.session_revoked']
  assert.deepEqual({ issued, added }, { issued: refused, added: refused })
})

test('nor does a super-admin who has signed out come into a store', async () => {
  const [store, root] = [await buildStore(), await buildSuperAdmin()]
  const visit = { reason: 'They asked for help', minutes: 60 }

  const answer = await post(`/super-admin/stores/${store.id}/sign-in`, root, visit, () =>
    leave('/super-admin/auth', root),
  )

  assert.deepEqual(answer, [401, 'auth.session_revoked'])
})

test('a body that is slow for its own reasons is taken', async () => {
  const owner = await buildStaff(await buildStore(), { role: 'owner' })

  const token = { name: 'Slow', rights: ['sales:read'] }

  assert.deepEqual(await post('/admin/api-tokens', owner, token, async () => {}), [201, null])
})

test('a file that is held back is imported for nobody who lost the right meanwhile', async () => {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  const [member, program] = [
    await buildStaff(store, { role: 'catalog' }),
    await buildApiToken(store, 'catalog:write'),
  ]
  const upload = (account: { token: string }, line: string, body?: object) =>
    send('/admin/products/import', account, ['text/csv', 'Handle,Title\ncup,Cup\n'], () =>
      request(line, { token: owner.token, ...(body ? { body } : {}) }),
    )

  const demoted = await upload(member, `PATCH /admin/users/${member.id}`, { role: 'analyst' })
  const revoked = await upload(program, `DELETE /admin/api-tokens/${program.id}`)

  assert.deepEqual(
    { demoted, revoked },
    { demoted: [403, 'auth.forbidden'], revoked: [401, 'auth.session_revoked'] },
  )
  assert.equal(await countQueued(store.id), 0)
})

const countQueued = (storeId: string): Promise<number> =>
  inStore(storeId, async (tx) => {
    const jobs = await tx.knex('catalog_jobs').where({ store_id: storeId })
    return jobs.filter(({ status }) => status !== 'uploading').length
  })
