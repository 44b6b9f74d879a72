import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '#api/endpoints.ts'
import { newId } from '#shared/platform/db/id.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { buildApiToken, buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildCapturedOrder } from '#test/support/builders/captured-order.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { buildSupport } from '#test/support/builders/support.ts'
import { buildReceiver, buildWebhook, moveParcel } from '#test/support/builders/webhooks.ts'
import { moveClock } from '#test/support/clock.ts'
import { type ApiResponse, request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'

const receiver = await buildReceiver()

/** The entries of reads in the store's log, oldest first, as its owner sees them. */
async function readsIn(owner: { token: string }) {
  const { data } = await request('GET /admin/audit-log?sort=created_at&page_size=100', { token: owner.token })
  const entries = data as { action: string; actor: { type: string }; after: Record<string, unknown> | null }[]
  return entries
    .filter(({ after }) => after && 'read' in after)
    .map(({ action, actor, after }) => ({ action, actor: actor.type, ...after }))
}

const callsOf = async (store: BuiltStore, role: string) => {
  const { token } = await buildStaff(store, { role })
  return (line: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    request(line, { token, headers })
}

/** So many customers; they are read, never signed in. */
async function buildCustomers(store: BuiltStore, count: number) {
  for (let at = 0; at < count; at++) await buildCustomer(store)
}

test('every read of personal data by a support session is in the logs of the store and the platform', async () => {
  const { store, owner, root, token } = await buildSupport()
  await buildCustomer(store)
  const lists = endpoints.filter(
    ({ method, path, access, audit }) =>
      method === 'get' && audit && access.kind === 'staff' && !access.personal && !/:|audit-log/.test(path),
  )

  for (const { path } of lists) assert.equal((await request(`GET ${path}`, { token })).status, 200, path)

  const expected = lists.map(({ audit }) => audit?.action).sort()
  const own = await readsIn(owner)
  assert.deepEqual(own.map(({ action }) => action).sort(), expected)
  assert.ok(
    own.every(({ actor, ...read }) => actor === 'super_admin' && 'read' in read && read.read === 'support'),
  )
  const { data } = await request(`GET /super-admin/audit-log?store_id=${store.id}&page_size=100`, {
    token: root.token,
  })
  const onPlatform = (data as { action: string }[]).map(({ action }) => action)
  for (const action of expected) assert.ok(onPlatform.includes(action ?? ''), action)
})

test('a read of one record by a support session names the record', async () => {
  const { store, owner, token } = await buildSupport()
  const { id } = await buildCustomer(store)

  await request(`GET /admin/customers/${id}`, { token })

  const { data } = await request(`GET /admin/audit-log?resource_id=${id}`, { token: owner.token })
  assert.partialDeepStrictEqual(data, [
    {
      action: 'getAdminCustomersId',
      resource: { type: 'customers', id },
      after: { read: 'support', records: 1 },
    },
  ])
})

test('a read of shipments or webhook deliveries by a support session names the order or the webhook', async () => {
  const { store, owner, token } = await buildSupport()
  const { id: orderId } = await buildCapturedOrder(store)
  await request(`POST /admin/orders/${orderId}/shipments`, { token: owner.token, body: {} })
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('read') })
  const webhookId = webhook.id
  await moveParcel(store)
  await drainJobs()
  const read = async (path: string) => (await request(`GET ${path}`, { token })).data

  const [shipment] = await read(`/admin/orders/${orderId}/shipments`)
  await read(`/admin/orders/${orderId}/shipments/${shipment.id}`)
  const [delivery] = await read(`/admin/webhooks/${webhookId}/deliveries`)
  await read(`/admin/webhook-deliveries/${delivery.id}`)

  const { data } = await request('GET /admin/audit-log?sort=created_at&page_size=100', { token: owner.token })
  const reads = (data as { action: string; resource: object; after: { read?: string } | null }[])
    .filter(({ after }) => after?.read === 'support')
    .map(({ action, resource }) => ({ action, resource }))
  assert.deepEqual(reads, [
    { action: 'getAdminOrdersOrderIdShipments', resource: { type: 'orders', id: orderId } },
    { action: 'getAdminOrdersOrderIdShipmentsShipmentId', resource: { type: 'orders', id: orderId } },
    { action: 'getAdminWebhooksWebhookIdDeliveries', resource: { type: 'webhooks', id: webhookId } },
    {
      action: 'getAdminWebhookDeliveriesDeliveryId',
      resource: { type: 'webhook-deliveries', id: delivery.id },
    },
  ])
})

test('the reads of staff are logged once for every 1,000 records within a day, whatever their filters', async () => {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  const read = await callsOf(store, 'analyst')
  const other = await callsOf(store, 'analyst')
  await buildCustomers(store, 100)
  const pages = [
    '',
    '&sort=lastname',
    '&is_active=true',
    '&created_from=2020-01-01T00:00:00Z',
    '&sort=-created_at',
  ]

  for (const page of [...pages, ...pages.slice(1)]) await read(`GET /admin/customers?page_size=100${page}`)
  await other('GET /admin/customers?page_size=100')
  assert.deepEqual(await readsIn(owner), [])
  await read('GET /admin/customers?page_size=100&q=Ada')

  assert.deepEqual(await readsIn(owner), [
    {
      action: 'getAdminCustomers',
      actor: 'staff',
      read: 'bulk',
      records: 100,
      filters: ['page', 'page_size', 'q'],
    },
  ])
})

test('the reads of a person count together, by their sessions and by all API tokens that they created', async () => {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  await buildCustomers(store, 100)
  const tokens = [owner.token]
  for (let n = 0; n < 4; n++) {
    const body = { name: `Reader ${n}`, rights: ['customers:read'] }
    tokens.push((await request('POST /admin/api-tokens', { token: owner.token, body })).data.token)
  }

  for (const token of [...tokens, ...tokens]) await request('GET /admin/customers?page_size=100', { token })

  assert.partialDeepStrictEqual(await readsIn(owner), [{ actor: 'api_token', read: 'bulk', records: 100 }])
})

test('records of earlier days do not count', async () => {
  const store = await buildStore()
  await buildCustomers(store, 100)
  const nine = Array.from({ length: 9 }, () => 'GET /admin/customers?page_size=100')
  const { token } = await buildApiToken(store, 'customers:read')
  for (const line of nine) await request(line, { token })

  moveClock(DAY_MS + 1)
  await request('GET /admin/customers?page_size=100', { token })

  assert.deepEqual(await readsIn(await buildStaff(store, { role: 'owner' })), [])
})

test('each export of personal data adds an audit entry with the number of records', async () => {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  const { id } = await buildCustomer(store)
  const read = await callsOf(store, 'administrator')
  const csv = { Accept: 'text/csv' }

  for (const list of ['customers', 'orders', 'vouchers']) await read(`GET /admin/${list}`, csv)
  await read(`GET /admin/customers/${id}/export`)

  const reads = (await readsIn(owner)).map(({ actor: _, ...entry }) => entry)
  assert.partialDeepStrictEqual(reads, [
    { action: 'getAdminCustomers', read: 'export', records: 1 },
    { action: 'getAdminOrders', read: 'export', records: 0 },
    { action: 'getAdminVouchers', read: 'export', records: 0 },
    { action: 'getAdminCustomersIdExport', read: 'export', records: 1 },
  ])
})

test('the entry of a read has no searched value', async () => {
  const { store, owner, token } = await buildSupport()
  await buildCustomer(store, { firstname: 'Wilhelmina' })

  await request('GET /admin/customers?q=Wilhelmina', { token })

  const { data } = await request('GET /admin/audit-log', { token: owner.token })
  assert.ok(!JSON.stringify(data).includes('ilhelmina'))
  assert.ok(data[0].after.filters.includes('q'))
})

test('personal data that a super-admin reads is logged once an hour by the platform, with the store whose log was read', async () => {
  const { store, owner, root } = await buildSupport()
  const ask = (line: string) => request(line, { token: root.token })
  await ask('GET /super-admin/audit-log')
  await ask('GET /super-admin/audit-log?page=2')
  await ask('GET /super-admin/queues/send-mail/failed?q=ada')
  await ask(`GET /super-admin/audit-log?log=store&store_id=${store.id}&action=x`)

  const { data } = await ask(`GET /super-admin/audit-log?actor_id=${root.id}&sort=created_at&page_size=100`)

  const reads = (data as { action: string; after: { read?: string } | null }[]).filter(
    ({ after }) => after?.read,
  )
  assert.partialDeepStrictEqual(reads, [
    { action: 'getSuperAdminAuditLog', store_id: null, after: { read: 'super_admin' } },
    {
      action: 'getSuperAdminQueuesNameFailed',
      resource: { type: 'queues', id: 'send-mail' },
      after: { read: 'super_admin', records: 0, filters: ['page', 'page_size', 'q', 'sort'] },
    },
    {
      action: 'getSuperAdminAuditLog',
      store_id: store.id,
      after: { read: 'super_admin', filters: ['action', 'log', 'page', 'page_size', 'sort', 'store_id'] },
    },
  ])
  assert.equal(reads.length, 3)
  const own = await readsIn(owner)
  assert.partialDeepStrictEqual(own, [
    { action: 'getSuperAdminAuditLog', actor: 'super_admin', read: 'super_admin', records: 0 },
  ])
  assert.equal(own.length, 1)
})

test('GET /super-admin/audit-log returns 404 for the log of an unknown store', async () => {
  const { root } = await buildSupport()

  const { status } = await request(`GET /super-admin/audit-log?log=store&store_id=${newId()}`, {
    token: root.token,
  })

  assert.equal(status, 404)
})

test('reads of the staff are logged as those of customers are', async () => {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  for (let at = 0; at < 24; at++) await buildStaff(store, { role: 'analyst' })
  const read = await callsOf(store, 'administrator')
  const lists = Array.from({ length: 38 }, () => 'GET /admin/users?page_size=100')

  for (const line of lists) await read(line)
  assert.deepEqual(await readsIn(owner), [], '38 reads of 26 members are 988')
  for (let at = 0; at < 11; at++) await read(`GET /admin/users/${owner.id}`)
  assert.deepEqual(await readsIn(owner), [])
  await read('GET /admin/owner')

  assert.partialDeepStrictEqual(await readsIn(owner), [{ action: 'getAdminOwner', read: 'bulk', records: 1 }])
})
