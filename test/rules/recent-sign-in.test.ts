import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { endpoints } from '#api/endpoints.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { newId } from '#shared/platform/db/id.ts'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'

/** Changes below these paths decide who may sign in, with which rights, and where data and money go. */
const GUARDED = [
  '/admin/affiliates',
  '/admin/api-tokens',
  '/admin/customers',
  '/admin/domains',
  '/admin/identity-providers',
  '/admin/owner',
  '/admin/payment-methods',
  '/admin/publishable-keys',
  '/admin/remote/settings',
  '/admin/roles',
  '/admin/settings',
  '/admin/stores',
  '/admin/support-access',
  '/admin/users',
  '/admin/webhooks',
  '/super-admin/queues',
  '/super-admin/stores',
]

const TAKES_AWAY = 'It only takes access away, which must not wait after a theft.'
const IS_PUBLIC = 'A publishable key is public and opens only the storefront.'

/** Changes below these paths that need no recent sign-in, and why. */
const EXCEPTIONS: Record<string, string> = {
  'POST /admin/owner/transfer': 'It takes the password.',
  'DELETE /admin/api-tokens/:token_id': TAKES_AWAY,
  'DELETE /admin/support-access': TAKES_AWAY,
  'DELETE /admin/webhooks/:webhook_id': TAKES_AWAY,
  'POST /admin/users/:user_id/sessions/revoke': TAKES_AWAY,
  'POST /admin/publishable-keys': IS_PUBLIC,
  'PATCH /admin/publishable-keys/:key_id': IS_PUBLIC,
  'POST /admin/publishable-keys/:key_id/rotate': IS_PUBLIC,
  'POST /admin/publishable-keys/:key_id/revoke': TAKES_AWAY,
  'POST /admin/webhooks/:webhook_id/redeliver-failed': 'It sends to a URL that is already set.',
  'POST /admin/webhooks/:webhook_id/test': 'It sends to a URL that is already set.',
  'DELETE /admin/affiliates/:id': 'It pays nobody.',
  'POST /admin/affiliates/:id/payouts': 'It records a payment that the store made.',
  'POST /admin/customers': 'Nobody uses the account yet.',
  'POST /admin/customers/import': 'It changes no address of an existing account.',
  'DELETE /admin/customers/:id': TAKES_AWAY,
  'POST /admin/customers/:id/anonymize': 'It gives nobody access.',
  'PATCH /super-admin/stores/:id': 'It changes the name, languages and contact of a store.',
  'POST /super-admin/stores/:id/suspend': TAKES_AWAY,
  'POST /super-admin/stores/:id/publishable-keys': IS_PUBLIC,
  'PATCH /super-admin/stores/:id/publishable-keys/:key_id': IS_PUBLIC,
  'POST /super-admin/stores/:id/publishable-keys/:key_id/rotate': IS_PUBLIC,
  'POST /super-admin/stores/:id/publishable-keys/:key_id/revoke': TAKES_AWAY,
  'POST /super-admin/queues/:name/redrive': 'It repeats jobs that exist.',
}

const nameOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`
const isGuarded = ({ path }: Operation) =>
  GUARDED.some((guarded) => path === guarded || path.startsWith(`${guarded}/`))
const marked = endpoints.filter(({ recentSignIn }) => recentSignIn)

test('each change below a guarded path needs a recent sign-in or is an exception', () => {
  const unmarked = endpoints
    .filter((operation) => operation.method !== 'get' && isGuarded(operation) && !operation.recentSignIn)
    .map(nameOf)

  assert.deepEqual(unmarked.sort(), Object.keys(EXCEPTIONS).sort())
})

test('only changes by staff and super-admins below a guarded path need a recent sign-in', () => {
  for (const operation of marked) {
    assert.ok(isGuarded(operation), nameOf(operation))
    assert.notEqual(operation.method, 'get', nameOf(operation))
    assert.ok(['staff', 'super_admin'].includes(operation.access.kind), nameOf(operation))
  }
})

test('the fields that need a recent sign-in are fields of the body', () => {
  for (const { recentSignIn, body, ...operation } of marked) {
    if (recentSignIn === true || recentSignIn === undefined) continue
    const { properties } = body as unknown as { properties: object }
    for (const field of recentSignIn) assert.ok(field in properties, `${operation.path}: ${field}`)
  }
})

test('each marked operation returns 403 to a session of an hour ago', async () => {
  const store = await buildStore()
  const { refreshToken: ofOwner } = await buildStaff(store, { role: 'owner' })
  const { refreshToken: ofRoot } = await buildSuperAdmin()
  moveClock(61 * MINUTE_MS)
  const renew = async (base: string, refresh_token: string): Promise<string> =>
    (await request(`POST ${base}/refresh`, { body: { refresh_token } })).data.access_token
  const tokens = {
    staff: await renew('/auth', ofOwner),
    super_admin: await renew('/super-admin/auth', ofRoot),
  }
  const params: Record<string, string> = { store_id: store.id, code: 'bank_transfer' }

  for (const operation of marked.filter(({ recentSignIn }) => recentSignIn === true)) {
    const { access, example } = operation
    const line = nameOf(operation).replace(/:(\w+)/g, (_, name: string) =>
      access.ofStore && name === 'id' ? store.id : (params[name] ?? newId()),
    )
    const { status, error_code } = await request(line, {
      token: tokens[access.kind as keyof typeof tokens],
      ...(example.body === undefined ? {} : { body: example.body }),
    })
    const refused = { status: 403, error_code: 'auth.reauthentication_required' }
    assert.deepEqual({ status, error_code }, refused, line)
  }
})
