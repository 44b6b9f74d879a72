import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { issueLink } from '#shared/identity/links/link.ts'
import { setUpTwoFactor } from '#shared/identity/two-factor/two-factor.ts'
import '#test/support/database.ts'
import { endpoints } from '#api/endpoints.ts'
import { runOperation } from '#api/platform/pipeline/unit-of-work.ts'
import { db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inScope, inStore } from '#shared/platform/db/store-scope.ts'
import { enqueue, queues } from '#shared/platform/jobs/enqueue.ts'
import { sendRefund } from '#shared/refunds/jobs.ts'
import { request } from '#test/support/app.ts'
import { type BuiltStore, buildStore } from '#test/support/build.ts'
import { buildStaff, PASSWORD } from '#test/support/build-accounts.ts'
import { asSuperuser } from '#test/support/build-audit.ts'
import { buildTill, connectTill } from '#test/support/build-remote.ts'
import { buildSuperAdmin } from '#test/support/build-super-admin.ts'
import {
  type BuiltTwoFactor,
  buildSuperAdminTwoFactor,
  buildTwoFactor,
  codeOf,
} from '#test/support/build-two-factor.ts'
import { buildEndpoint } from '#test/support/build-webhooks.ts'
import { runWorker } from '#test/support/worker.ts'
import { readRemoteCatalog } from '#workers/remote-catalog/read-remote-catalog.ts'

const till = await buildTill()
await runWorker({ after }, [readRemoteCatalog])

let store: BuiltStore
let owner: string
let root: string

before(async () => {
  store = await buildStore()
  owner = (await buildStaff(store, { role: 'owner' })).token
  root = (await buildSuperAdmin()).token
})

interface Tried {
  /** Where the operation writes, or locks what it writes about. */
  table: string
  /** A request that it takes. */
  send: () => Promise<{ status: number }>
}

const receiverUrl = 'http://127.0.0.1:9/'

const person = (email: string) => ({ email, firstname: 'Ada', lastname: 'Lovelace' })

/** Someone who looks after their own sign-in, and how they come by a second factor. */
interface Person {
  token: string
  refreshToken: string
  setUp: () => Promise<string>
  switchOn: () => Promise<BuiltTwoFactor>
}

async function aSuperAdmin(): Promise<Person> {
  const { id, ...tokens } = await buildSuperAdmin()
  const setUp = () => inScope(null, (tx) => setUpTwoFactor(tx, { type: 'super_admin', id }))
  return { ...tokens, setUp, switchOn: () => buildSuperAdminTwoFactor({ id }) }
}

async function aStaffMember(): Promise<Person> {
  const { id, ...tokens } = await buildStaff(store, { role: 'sales' })
  const account = { type: 'staff', id } as const
  const setUp = () => inStore(store.id, (tx) => setUpTwoFactor(tx, account))
  return { ...tokens, setUp, switchOn: () => buildTwoFactor(store, account) }
}

/** What people do about their own sign-in, below an address and with a row of a table. */
function ofOwnSignIn(base: string, table: string, who: () => Promise<Person>): Record<string, Tried> {
  const proven = async ({ switchOn }: Person) => ({ recovery_code: (await switchOn()).recoveryCodes[0] })
  const bodies: Record<string, (person: Person) => Promise<object> | object> = {
    password: () => ({ password: 'staple by staple' }),
    '2fa/setup': () => ({}),
    '2fa/enable': async ({ setUp }) => ({ totp_code: codeOf(await setUp()) }),
    '2fa/disable': proven,
    '2fa/recovery-codes': proven,
  }
  const tried = Object.entries(bodies).map(([step, bodyOf]): [string, Tried] => {
    const send = async () => {
      const person = await who()
      const body = { current_password: PASSWORD, ...(await bodyOf(person)) }
      return request(`POST ${base}/${step}`, { token: person.token, body })
    }
    return [`post ${base}/${step}`, { table, send }]
  })
  const leave = async () => {
    const { refreshToken: refresh_token } = await who()
    return request(`POST ${base}/logout?all=true`, { body: { refresh_token } })
  }
  const sessions = table === 'super_admins' ? 'super_admin_sessions' : 'sessions'
  return { ...Object.fromEntries(tried), [`post ${base}/logout`]: { table: sessions, send: leave } }
}

/** Each operation that staff or super-admins change something by, and that opens its own transactions. */
const OWN: Record<string, Tried> = {
  'post /admin/products/import': {
    table: 'catalog_jobs',
    send: () =>
      request('POST /admin/products/import', {
        token: owner,
        body: 'Handle,Title,Variant SKU,Variant Price\nstool,Stool,STOOL,89.00\n',
        headers: { 'Content-Type': 'text/csv' },
      }),
  },
  'post /admin/remote/catalog/:id/import': {
    table: 'products',
    send: async () => {
      await connectTill(store, till)
      return request('POST /admin/remote/catalog/item-00001/import', { token: owner })
    },
  },
  'put /admin/remote/settings': {
    table: 'remote_connections',
    send: () => {
      const body = { base_url: till.url, api_key: 'till-key-0123456789' }
      return request('PUT /admin/remote/settings', { token: owner, body })
    },
  },
  'post /admin/webhooks': {
    table: 'webhook_endpoints',
    send: () =>
      request('POST /admin/webhooks', {
        token: owner,
        body: { url: receiverUrl, events: ['*'] },
        key: 'hook',
      }),
  },
  'patch /admin/webhooks/:webhook_id': {
    table: 'webhook_endpoints',
    send: async () => {
      const { endpoint } = await buildEndpoint(store, { url: receiverUrl })
      const body = { url: `${receiverUrl}anew` }
      return request(`PATCH /admin/webhooks/${endpoint.id}`, { token: owner, body })
    },
  },
  'post /admin/users': {
    table: 'staff_members',
    send: () =>
      request('POST /admin/users', {
        token: owner,
        body: { ...person('ada@example.test'), role: 'administrator' },
      }),
  },
  'post /admin/owner/transfer': {
    table: 'staff_members',
    send: async () => {
      const { id } = await buildStaff(store, { role: 'sales' })
      const body = { user_id: id, current_password: PASSWORD }
      return request('POST /admin/owner/transfer', { token: owner, body })
    },
  },
  'post /super-admin/stores': {
    table: 'stores',
    send: () =>
      request('POST /super-admin/stores', {
        token: root,
        body: {
          slug: 'opened',
          name: 'Opened',
          email: 'shop@example.test',
          currency: 'EUR',
          languages: ['en'],
          time_zone: 'Europe/Berlin',
          owner: person('opened@example.test'),
        },
      }),
  },
  'delete /super-admin/auth/sessions/:session_id': {
    table: 'super_admin_sessions',
    send: async () => {
      const { token } = await buildSuperAdmin()
      const { data } = await request('GET /super-admin/auth/sessions', { token })
      return request(`DELETE /super-admin/auth/sessions/${data[0].id}`, { token })
    },
  },
  'delete /auth/sessions/:id': {
    table: 'sessions',
    send: async () => {
      const { token } = await buildStaff(store, { role: 'sales' })
      const { data } = await request('GET /auth/sessions', { token })
      return request(`DELETE /auth/sessions/${data[0].id}`, { token })
    },
  },
  ...ofOwnSignIn('/super-admin/auth', 'super_admins', aSuperAdmin),
  ...ofOwnSignIn('/auth', 'staff_members', aStaffMember),
  'post /auth/password/reset': {
    table: 'account_links',
    send: async () => {
      const { id } = await buildStaff(store, { role: 'sales' })
      const link = await inStore(store.id, (tx) => issueLink(tx, { type: 'staff', id }, 'reset_password'))
      return request('POST /auth/password/reset', {
        body: { token: link?.token, password: 'staple by staple' },
      })
    },
  },
  'post /auth/email': {
    table: 'account_links',
    send: async () => {
      const { token } = await buildStaff(store, { role: 'sales' })
      const body = { email: 'ada@byron.example', current_password: PASSWORD }
      return request('POST /auth/email', { token, body })
    },
  },
  'post /super-admin/queues/:name/redrive': {
    table: 'pgboss.job',
    send: async () => {
      await giveUp()
      return request(`POST /super-admin/queues/${sendRefund.queue}/redrive`, { token: root, body: {} })
    },
  },
}

/** Leaves a job whose tries are used up. */
async function giveUp(): Promise<void> {
  const id = await inStore(store.id, (tx) => enqueue(tx, sendRefund, { refundId: newId() }))
  await db().raw('update pgboss.job set retry_limit = 0 where id = ?', [id])
  const boss = await queues()
  await boss.fetch(sendRefund.queue, { batchSize: 100 })
  await boss.fail(sendRefund.queue, id, { message: 'no' })
}

const own = endpoints.filter(
  ({ path, method, transaction }) =>
    transaction === 'manual' &&
    method !== 'get' &&
    /^\/((super-)?admin|auth)\//.test(path) &&
    path !== '/auth/register',
)

/** Whether a transaction that made such an entry wrote a row of the table too, or locked one. */
async function isOneTransaction(action: string, table: string): Promise<boolean> {
  const [found] = await asSuperuser(
    `select bool_or(exists (select from ${table} where e.xmin in (xmin, xmax))) as found
     from (select xmin, action from audit_entries union all
           select xmin, action from platform_audit_entries where store_id is null) e
     where action = $1`,
    [action],
  )
  return (found as { found: boolean | null }).found === true
}

test('each operation that opens its own transactions is tried here', () => {
  const lines = own.map(({ method, path }) => `${method} ${path}`)

  assert.deepEqual(lines.sort(), Object.keys(OWN).sort())
})

for (const operation of own) {
  const line = `${operation.method} ${operation.path}`

  test(`${line} writes the change and its audit entry in one transaction`, async () => {
    const { table, send } = OWN[line] as (typeof OWN)[string]

    const { status } = await send()

    assert.ok(status < 300, `it is answered ${status}`)
    assert.ok(await isOneTransaction(operation.audit?.action as string, table))
  })
}

test('a handler that changes something outside its transaction throws an error that names its path', async () => {
  const startAudit = async () => async () => {}
  const [operation] = own
    .filter(({ access }) => access.kind !== 'open')
    .map((one) => ({ ...one, startAudit, handle: async () => null }))
  assert.ok(operation)

  const admitAnew = async () => {}
  await assert.rejects(
    runOperation(operation, store.id, {}, { reauthenticate: admitAnew }),
    /made its change outside its unit of work/,
  )
})
