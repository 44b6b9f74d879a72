import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { eventKinds } from '#shared/platform/events/events.ts'
import { RIGHTS, type Right } from '#shared/staff/rights.ts'
import { checkPublicUrl } from '#shared/webhooks/check-webhook-url.ts'
import { createWebhook } from '#shared/webhooks/create-webhook.ts'
import { buildApiToken, buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'

const url = 'http://127.0.0.1:9/hook'

/** A store with events of orders and products, and a token that reads the system and these areas. */
async function scene(...rights: Right[]) {
  const store = await buildStore()
  await buildProduct(store)
  await buildOrder(store)
  await drainJobs()
  const { token } = await buildApiToken(store, 'system:read', 'system:write', ...rights)
  const call = (line: string, body?: object) => request(line, { token, ...(body ? { body } : {}) })
  const typesOf = async () => {
    const { data } = await call('GET /admin/events?limit=100')
    return [...new Set(data.map(({ type }: { type: string }) => type.split('.')[0]))].sort()
  }
  return { store, call, typesOf }
}

test('every event names an area that a right exists for', () => {
  for (const { area } of eventKinds().values()) assert.ok(RIGHTS.includes(`${area}:read` as never), area)
})

test('the event log lists the events of the areas that a token may read', async () => {
  const [none, catalog, both] = [
    await scene(),
    await scene('catalog:read'),
    await scene('catalog:read', 'sales:read'),
  ]

  assert.deepEqual(
    { none: await none.typesOf(), catalog: await catalog.typesOf(), both: await both.typesOf() },
    { none: [], catalog: ['product'], both: ['order', 'product'] },
  )
})

test('a webhook is created only for events that its creator may read', async () => {
  const { call } = await scene('catalog:read')

  for (const events of [['*'], ['order.*'], ['product.*', 'voucher.issued']])
    assert.partialDeepStrictEqual(await call('POST /admin/webhooks', { url, events }), {
      status: 403,
      error_code: 'auth.forbidden',
    })
  assert.equal((await call('POST /admin/webhooks', { url, events: ['product.*'] })).status, 201)
})

test('a webhook of other areas keeps its URL and events, and can be disabled', async () => {
  const { store, call } = await scene('catalog:read')
  const checked = await checkPublicUrl(url)
  const { webhook } = await inStore(store.id, (tx) =>
    createWebhook(tx, null, { url: checked, events: ['order.*'] }),
  )
  const line = `PATCH /admin/webhooks/${webhook.id}`

  for (const change of [{ url: `${url}/other` }, { events: ['*'] }, { is_active: true }])
    assert.equal((await call(line, change)).status, 403, JSON.stringify(change))
  assert.equal((await call(line, { is_active: false, description: 'Off' })).status, 200)
})

test('staff see only audit entries of areas that they may read', async () => {
  const { store, call } = await scene('catalog:read')
  const { token } = await buildStaff(store, { role: 'owner' })
  const owner = (line: string, body?: object) => request(line, { token, ...(body ? { body } : {}) })
  const { id: orderId } = await buildOrder(store)
  assert.equal((await owner(`POST /admin/orders/${orderId}/notes`, { body: 'Call first' })).status, 201)
  await owner('POST /admin/categories', { name_i18n: { en: 'Shoes' } })

  const resourcesOf = async (read: typeof call) =>
    (await read('GET /admin/audit-log')).data.map(
      (entry: { resource: { type: string } }) => entry.resource.type,
    )

  assert.deepEqual(
    { owner: (await resourcesOf(owner)).sort(), token: await resourcesOf(call) },
    { owner: ['categories', 'orders'], token: ['categories'] },
  )
})
