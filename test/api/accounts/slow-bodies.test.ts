import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import '#test/support/database.ts'
import { rereadConfig } from '#shared/platform/config.ts'
import { db } from '#shared/platform/db.ts'
import { baseUrl, request } from '#test/support/app.ts'
import { buildStore } from '#test/support/build.ts'
import { type BuiltAccount, buildStaff, PASSWORD } from '#test/support/build-accounts.ts'
import { buildSuperAdmin } from '#test/support/build-super-admin.ts'
import { moveClock } from '#test/support/clock.ts'

// A request is counted once it was let in, and before its body is read.
function setLimit(perMinute: number): void {
  process.env.LIMIT_ADMIN = String(perMinute)
  rereadConfig()
}
before(() => setLimit(600))
after(() => setLimit(0))

const MOST_LOOKS = 1_000

/** Whoever is let in for the first time opens a limit's window. */
async function untilLetIn(windowsBefore: number): Promise<void> {
  for (let look = 0; look < MOST_LOOKS; look++) if ((await countWindows()) > windowsBefore) return
  throw new Error('The request was not let in')
}

const countWindows = async (): Promise<number> => Number((await db()('rate_limits').count({ n: '*' }))[0]?.n)

/** Posts a body of which the end is held back until something has happened, and two seconds more. */
async function post(path: string, { token }: BuiltAccount, body: object, meanwhile: () => Promise<unknown>) {
  const text = new TextEncoder().encode(JSON.stringify(body))
  const { readable, writable } = new TransformStream<Uint8Array>()
  const writer = writable.getWriter()
  moveClock(0)
  const windows = await countWindows()
  const answer = fetch(`${baseUrl}/api/v1${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: readable,
    duplex: 'half',
  })
  await writer.write(text.slice(0, 1))
  await untilLetIn(windows)
  await meanwhile()
  moveClock(2_000)
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
  assert.deepEqual([issued, added], [refused, refused])
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
