import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { issueLink } from '#shared/identity/links/link.ts'
import '#test/support/database.ts'
import { endpoints } from '#api/endpoints.ts'
import { runOperation } from '#api/platform/pipeline/run-operation.ts'
import { db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inScope, inStore } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { sendRefund } from '#shared/refunds/jobs.ts'
import { buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { asSuperuser } from '#test/support/builders/audit.ts'
import { buildContentPage } from '#test/support/builders/content-pages.ts'
import { drawPicture } from '#test/support/builders/images.ts'
import { buildTill, connectTill } from '#test/support/builders/remote.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import {
  type BuiltTwoFactor,
  buildSuperAdminTwoFactor,
  buildTotpSecret,
  buildTwoFactor,
  codeOf,
} from '#test/support/builders/two-factor.ts'
import { buildWebhook } from '#test/support/builders/webhooks.ts'
import { baseUrl, request } from '#test/support/processes/app.ts'
import { runWorker } from '#test/support/processes/worker.ts'
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

interface SampleRequest {
  /** A table in which the operation writes or locks a row. */
  table: string
  /** Sends a valid request. */
  send: () => Promise<{ status: number }>
}

const receiverUrl = 'http://127.0.0.1:9/'

const person = (email: string) => ({ email, firstname: 'Ada', lastname: 'Lovelace' })

/** An account with its tokens and the setup of its second factor. */
interface Account {
  token: string
  refreshToken: string
  setUp: () => Promise<string>
  enable: () => Promise<BuiltTwoFactor>
}

async function superAdminAccount(): Promise<Account> {
  const { id, ...tokens } = await buildSuperAdmin()
  const setUp = () => inScope(null, (tx) => buildTotpSecret(tx, { type: 'super_admin', id }))
  return { ...tokens, setUp, enable: () => buildSuperAdminTwoFactor({ id }) }
}

async function staffAccount(): Promise<Account> {
  const { id, ...tokens } = await buildStaff(store, { role: 'sales' })
  const account = { type: 'staff', id } as const
  const setUp = () => inStore(store.id, (tx) => buildTotpSecret(tx, account))
  return { ...tokens, setUp, enable: () => buildTwoFactor(store, account) }
}

/** Valid requests for the credential operations under a base path. */
function credentialRequests(
  base: string,
  table: string,
  buildAccount: () => Promise<Account>,
): Record<string, SampleRequest> {
  const recoveryProof = async ({ enable }: Account) => ({ recovery_code: (await enable()).recoveryCodes[0] })
  const bodies: Record<string, (person: Account) => Promise<object> | object> = {
    reauthenticate: () => ({}),
    password: () => ({ password: 'staple by staple' }),
    '2fa/setup': () => ({}),
    '2fa/enable': async ({ setUp }) => ({ totp_code: codeOf(await setUp()) }),
    '2fa/disable': recoveryProof,
    '2fa/recovery-codes': recoveryProof,
  }
  const requests = Object.entries(bodies).map(([step, bodyOf]): [string, SampleRequest] => {
    const send = async () => {
      const person = await buildAccount()
      const body = { current_password: PASSWORD, ...(await bodyOf(person)) }
      return request(`POST ${base}/${step}`, { token: person.token, body })
    }
    return [`post ${base}/${step}`, { table, send }]
  })
  const logOut = async () => {
    const { refreshToken: refresh_token } = await buildAccount()
    return request(`POST ${base}/logout?all=true`, { body: { refresh_token } })
  }
  const sessions = table === 'super_admins' ? 'super_admin_sessions' : 'sessions'
  return { ...Object.fromEntries(requests), [`post ${base}/logout`]: { table: sessions, send: logOut } }
}

/** A valid request for each manual-transaction operation of staff and super-admins. */
const REQUESTS: Record<string, SampleRequest> = {
  'post /admin/products/import': {
    table: 'import_jobs',
    send: () =>
      request('POST /admin/products/import', {
        token: owner,
        body: 'Handle,Title,Variant SKU,Variant Price\nstool,Stool,STOOL,89.00\n',
        headers: { 'Content-Type': 'text/csv' },
      }),
  },
  'post /admin/customers/import': {
    table: 'import_jobs',
    send: () =>
      request('POST /admin/customers/import', {
        token: owner,
        body: 'email\nada@example.test\n',
        headers: { 'Content-Type': 'text/csv' },
      }),
  },
  'post /admin/images': {
    table: 'images',
    send: async () =>
      fetch(`${baseUrl}/api/v1/admin/images`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${owner}`,
          'Content-Type': 'application/octet-stream',
          Prefer: 'respond-async',
        },
        body: new Uint8Array(await drawPicture()),
      }),
  },
  'post /admin/pages': {
    table: 'content_pages',
    send: () => request('POST /admin/pages', { token: owner, body: { title_i18n: { en: 'Terms' } } }),
  },
  'patch /admin/pages/:page_id': {
    table: 'content_pages',
    send: async () => {
      const { id } = await buildContentPage(store)
      return request(`PATCH /admin/pages/${id}`, { token: owner, body: { title_i18n: { en: 'Imprint' } } })
    },
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
    table: 'webhooks',
    send: () =>
      request('POST /admin/webhooks', {
        token: owner,
        body: { url: receiverUrl, events: ['*'] },
        key: 'hook',
      }),
  },
  'patch /admin/webhooks/:webhook_id': {
    table: 'webhooks',
    send: async () => {
      const { webhook } = await buildWebhook(store, { url: receiverUrl })
      const body = { url: `${receiverUrl}anew` }
      return request(`PATCH /admin/webhooks/${webhook.id}`, { token: owner, body })
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
  // The account is deleted; its sessions are closed.
  'post /auth/me/delete': {
    table: 'sessions',
    send: async () => {
      const { token } = await buildStaff(store, { role: 'sales' })
      return request('POST /auth/me/delete', { token, body: { current_password: PASSWORD } })
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
  ...credentialRequests('/super-admin/auth', 'super_admins', superAdminAccount),
  ...credentialRequests('/auth', 'staff_members', staffAccount),
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
      await failJob()
      return request(`POST /super-admin/queues/${sendRefund.queue}/redrive`, { token: root, body: {} })
    },
  },
}

/** Makes a job fail with its retries exhausted. */
async function failJob(): Promise<void> {
  const id = await inStore(store.id, (tx) => enqueue(tx, sendRefund, { refundId: newId() }))
  await db().raw('update pgboss.job set retry_limit = 0 where id = ?', [id])
  const boss = await queues()
  await boss.fetch(sendRefund.queue, { batchSize: 100 })
  await boss.fail(sendRefund.queue, id, { message: 'no' })
}

const manualOperations = endpoints.filter(
  ({ path, method, transaction, access }) =>
    transaction === 'manual' &&
    method !== 'get' &&
    // What customers do to their own accounts has no audit entry.
    access.kind !== 'customer' &&
    /^\/((super-)?admin|auth)\//.test(path) &&
    path !== '/auth/register',
)

/** Whether the transaction of such an audit entry also wrote or locked a row of the table. */
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

test('every operation with manual transactions has a request here', () => {
  const lines = manualOperations.map(({ method, path }) => `${method} ${path}`)

  assert.deepEqual(lines.sort(), Object.keys(REQUESTS).sort())
})

for (const operation of manualOperations) {
  const line = `${operation.method} ${operation.path}`

  test(`${line} writes the change and its audit entry in one transaction`, async () => {
    const { table, send } = REQUESTS[line] as (typeof REQUESTS)[string]

    const { status } = await send()

    assert.ok(status < 300, `status ${status}`)
    assert.ok(await isOneTransaction(operation.audit?.action as string, table))
  })
}

test('a handler that makes its change outside its unit of work throws', async () => {
  const startAudit = async () => async () => {}
  const [operation] = manualOperations
    .filter(({ access }) => access.kind !== 'open')
    .map((one) => ({ ...one, startAudit, handle: async () => null }))
  assert.ok(operation)

  const reauthenticate = async () => {}
  await assert.rejects(
    runOperation(operation, store.id, {}, { reauthenticate }),
    /made its change outside its unit of work/,
  )
})
