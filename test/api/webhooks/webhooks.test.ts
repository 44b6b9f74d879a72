import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Type } from 'typebox'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { defineEvent, emitAll } from '#shared/platform/events/events.ts'
import { consumeQuota } from '#shared/platform/throttle/quota.ts'
import { WebhookDelivery } from '#shared/webhooks/deliveries/delivery.ts'
import { MAX_REDELIVERED } from '#shared/webhooks/deliveries/redeliver-failed.ts'
import { MAX_PENDING_TESTS, sendTest } from '#shared/webhooks/deliveries/send-test.ts'
import { Webhook } from '#shared/webhooks/webhook.ts'
import { buildApiToken, buildRole, buildStaff } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { buildReceiver, buildWebhook, moveParcel } from '#test/support/builders/webhooks.ts'
import { superuser } from '#test/support/database.ts'
import { countQueries } from '#test/support/measure/count-queries.ts'
import { request } from '#test/support/processes/app.ts'
import { discardJobs, drainJobs } from '#test/support/processes/jobs.ts'
import { withWorker } from '#test/support/processes/with-worker.ts'
import { runWorker } from '#test/support/processes/worker.ts'
import { until } from '#test/support/races/until.ts'

/** An event type of an area that not everyone with the right to webhooks may read. */
const ledgerBooked = defineEvent(
  'ledger.booked',
  'sales',
  'Money was booked',
  Type.Object({ amount: Type.Integer() }),
)

const receiver = await buildReceiver()
const store = await buildStore()
const { token } = await buildStaff(store, { role: 'administrator' })
const { token: analyst } = await buildStaff(store, { role: 'analyst' })
const elsewhere = await buildStaff(await buildStore(), { role: 'administrator' })

const create = (body: object, by = token) => request('POST /admin/webhooks', { token: by, body })

test('POST /admin/webhooks returns the secret; no later response contains it', async () => {
  const created = await create({ url: receiver.hookUrl('created'), events: ['parcel.moved', 'parcel.moved'] })

  assert.equal(created.status, 201)
  assert.match(created.data.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.deepEqual(created.data.events, ['parcel.moved'])
  const read = await request(`GET /admin/webhooks/${created.data.id}`, { token })
  const listed = await request('GET /admin/webhooks', { token })
  assert.equal(read.data.url, created.data.url)
  for (const answer of [read, listed]) assert.ok(!JSON.stringify(answer).includes('whsec_'))
})

test('the secret is stored encrypted and signs each delivery', async () => {
  const { data } = await create({ url: receiver.hookUrl('sealed'), events: ['*'] })

  await moveParcel(store)
  await drainJobs()

  const [hook] = receiver.requests('sealed')
  assert.ok(
    new StandardWebhook(data.secret).verify(hook?.body ?? '', hook?.headers as Record<string, string>),
  )
  const kept = await inStore(store.id, (tx) => Webhook.in(tx).findById(data.id))
  assert.ok(!JSON.stringify(kept).includes(data.secret.slice(6)))
})

test('an invalid URL returns its error code, an unknown event type 422 with its location', async () => {
  const { data } = await create({ url: receiver.hookUrl('moved'), events: ['*'] })
  const codeOfNew = async (url: string) => (await create({ url, events: ['*'] })).error_code
  const codeOfChange = async (url: string) =>
    (await request(`PATCH /admin/webhooks/${data.id}`, { token, body: { url } })).error_code

  for (const codeOf of [codeOfNew, codeOfChange]) {
    assert.equal(await codeOf('http://hooks.example.com'), 'webhooks.url_https_required')
    assert.equal(await codeOf('https://10.0.0.1/'), 'webhooks.url_not_public')
    assert.equal(await codeOf('not a url'), 'webhooks.url_invalid')
  }
  const unknown = await create({ url: receiver.hookUrl('x'), events: ['*', 'parcel.lost'] })
  assert.equal(unknown.error_code, 'validation.failed')
  assert.deepEqual(unknown.detail[0].loc, ['body', 'events', 1])
})

test('a store accepts at most twenty webhooks of concurrent registrations', async () => {
  const full = await buildStore()
  const admin = await buildStaff(full, { role: 'administrator' })

  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, i) =>
      create({ url: receiver.hookUrl(`many-${i}`), events: ['*'] }, admin.token),
    ),
  )

  const created = answers.filter(({ status }) => status === 201)
  const refused = answers.filter(({ error_code }) => error_code === 'webhooks.limit_reached')
  assert.deepEqual({ created: created.length, refused: refused.length }, { created: 20, refused: 4 })
})

test('POST …/test sends a test event to that webhook alone and returns the response', async (t) => {
  await runWorker(t)
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('tested'), events: ['*'] })
  await buildWebhook(store, { url: receiver.hookUrl('bystander'), events: ['*'] })
  receiver.behave('tested', { status: 418, body: 'teapot' })

  const { status, data } = await request(`POST /admin/webhooks/${webhook.id}/test`, { token })

  assert.equal(status, 200)
  assert.equal(data.status, 'failed')
  assert.equal(data.event_type, 'webhook.test')
  assert.equal(data.attempts[0].status_code, 418)
  assert.equal(data.attempts[0].response_excerpt, 'teapot')
  assert.equal(receiver.requests('bystander').length, 0)
})

test('deliveries are listed newest first, in pages, filtered by status', async () => {
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('listed') })
  const list = (query: string) => request(`GET /admin/webhooks/${webhook.id}/deliveries?${query}`, { token })
  receiver.behave('listed', { status: 500, times: 1 })
  const events = [await moveParcel(store), await moveParcel(store), await moveParcel(store)]
  await drainJobs()

  const first = await list('page_size=2')
  const pending = await list('status=pending')

  assert.deepEqual(first.meta, { page: 1, page_size: 2, total: 3, total_pages: 2 })
  assert.deepEqual(
    first.data.map((delivery: { event_id: string }) => delivery.event_id),
    [events[2], events[1]],
  )
  assert.equal(pending.data.length, 1)
  assert.ok(pending.data[0].next_attempt_at)
})

test('a list runs as many queries for many deliveries as for one', async () => {
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('counted') })
  const read = () => request(`GET /admin/webhooks/${webhook.id}/deliveries`, { token })
  await moveParcel(store)
  await drainJobs()
  await read()
  const one = await countQueries(read)

  for (let step = 0; step < 5; step++) await moveParcel(store, step)
  await drainJobs()

  assert.equal(await countQueries(read), one)
})

test('a redelivery sends the same body with the same webhook-id', async () => {
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('again') })
  await moveParcel(store)
  await drainJobs()
  const [delivery] = (await request(`GET /admin/webhooks/${webhook.id}/deliveries`, { token })).data

  const asked = await request(`POST /admin/webhook-deliveries/${delivery.id}/redeliver`, { token })
  await drainJobs()

  assert.equal(asked.status, 202)
  assert.equal(asked.data.status, 'pending')
  const [one, two] = receiver.requests('again')
  assert.equal(one?.headers['webhook-id'], two?.headers['webhook-id'])
  assert.equal(one?.body, two?.body)
  const after = await request(`GET /admin/webhook-deliveries/${delivery.id}`, { token })
  assert.equal(after.data.status, 'succeeded')
  assert.equal(after.data.attempts.length, 2)
})

test('repeated redeliveries of a delivery that waits leave one job', async () => {
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('repeated') })
  await moveParcel(store)
  await drainJobs()
  const [delivery] = (await request(`GET /admin/webhooks/${webhook.id}/deliveries`, { token })).data

  for (let time = 0; time < 3; time++)
    await request(`POST /admin/webhook-deliveries/${delivery.id}/redeliver`, { token, key: randomUUID() })

  const { rowCount } = await superuser.query(
    `select from pgboss.job where state = 'created' and data->>'deliveryId' = $1`,
    [delivery.id],
  )
  assert.equal(rowCount, 1)
  await drainJobs()
  assert.equal(receiver.requests('repeated').length, 2)
})

test('POST …/test returns 429 while too many tests of the store wait', async () => {
  const own = await buildStore()
  const admin = await buildStaff(own, { role: 'administrator' })
  const { webhook } = await buildWebhook(own, { url: receiver.hookUrl('tested-often') })
  await inStore(own.id, async (tx) => {
    for (let count = 0; count < MAX_PENDING_TESTS; count++) await sendTest(tx, webhook.id)
  })

  const { status, error_code } = await request(`POST /admin/webhooks/${webhook.id}/test`, {
    token: admin.token,
  })

  assert.deepEqual({ status, error_code }, { status: 429, error_code: 'rate_limit.exceeded' })
  await discardJobs()
})

test('POST …/test of a webhook that is deleted while it waits returns immediately', {
  timeout: 60_000,
}, async () => {
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('tested-and-deleted') })
  const testing = request(`POST /admin/webhooks/${webhook.id}/test`, { token })
  const sent = () => inStore(store.id, (tx) => WebhookDelivery.in(tx).findOne({ webhook_id: webhook.id }))
  await until('the test is queued', async () => (await sent()) !== undefined)
  await request(`DELETE /admin/webhooks/${webhook.id}`, { token })

  const { status, data } = await withWorker(testing)

  assert.equal(status, 200)
  assert.partialDeepStrictEqual(data, { status: 'failed', attempts: [] })
})

test('a redelivery to an inactive webhook returns webhooks.disabled', async () => {
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('off') })
  await moveParcel(store)
  await drainJobs()
  const [delivery] = (await request(`GET /admin/webhooks/${webhook.id}/deliveries`, { token })).data
  await request(`PATCH /admin/webhooks/${webhook.id}`, { token, body: { is_active: false } })

  const { error_code } = await request(`POST /admin/webhook-deliveries/${delivery.id}/redeliver`, { token })

  assert.equal(error_code, 'webhooks.disabled')
})

test('events that a webhook no longer covers are not delivered again, also not to a URL that another person set', async () => {
  const own = await buildStore()
  await buildRole(own, { name: 'technician', rights: ['system:read', 'system:write', 'catalog:read'] })
  const technician = await buildStaff(own, { role: 'technician' })
  const { webhook } = await buildWebhook(own, { url: receiver.hookUrl('books'), events: ['ledger.*'] })
  await inStore(own.id, (tx) => emitAll(tx, ledgerBooked, [{ amount: 1 }, { amount: 2 }]))
  await drainJobs()
  const path = `/admin/webhooks/${webhook.id}`
  const as = { token: technician.token }
  const [first, second] = (await request(`GET ${path}/deliveries`, as)).data
  await inStore(own.id, (tx) => WebhookDelivery.in(tx).findById(second.id).patch({ status: 'failed' }))
  const url = receiver.hookUrl('elsewhere')

  const direct = await request(`PATCH ${path}`, { ...as, body: { url } })
  const moved = await request(`PATCH ${path}`, { ...as, body: { url, events: ['parcel.*'] } })
  const again = await request(`POST /admin/webhook-deliveries/${first.id}/redeliver`, as)
  const failed = await request(`POST ${path}/redeliver-failed`, { ...as, body: {} })
  await drainJobs()

  assert.equal(direct.error_code, 'auth.forbidden')
  assert.equal(moved.status, 200)
  assert.equal(again.error_code, 'webhooks.not_subscribed')
  assert.deepEqual(failed.data, { deliveries: 0, left: 0 })
  assert.equal(receiver.requests('books').length, 2)
  assert.equal(receiver.requests('elsewhere').length, 0)
})

test('POST …/redeliver-failed sends failed deliveries again by type and time, and no others', async () => {
  const own = await buildStore()
  const admin = await buildStaff(own, { role: 'administrator' })
  const { webhook } = await buildWebhook(own, { url: receiver.hookUrl('failed') })
  const path = `/admin/webhooks/${webhook.id}`
  const deliveries = async () =>
    (await request(`GET ${path}/deliveries?sort=created_at`, { token: admin.token })).data as {
      id: string
      status: string
    }[]
  const again = (body: object) =>
    request(`POST ${path}/redeliver-failed`, { token: admin.token, body, key: randomUUID() })
  for (const step of [1, 2, 3]) await moveParcel(own, step)
  await drainJobs()
  const [first, second, third] = (await deliveries()).map(({ id }) => id)
  await inStore(own.id, async (tx) => {
    await WebhookDelivery.in(tx)
      .findById(first ?? '')
      .patch({ status: 'exhausted', createdAt: new Date(0) })
    await WebhookDelivery.in(tx)
      .findById(second ?? '')
      .patch({ status: 'failed' })
  })

  const otherType = await again({ event_types: ['order.paid'] })
  const recent = await again({ from: '2000-01-01T00:00:00Z' })
  const unknown = await again({ event_types: ['parcel.*', 'nothing.*'] })
  const all = await again({})
  await drainJobs()

  assert.deepEqual(
    [otherType, recent, all].map(({ status, data }) => ({ status, ...data })),
    [0, 1, 1].map((count) => ({ status: 202, deliveries: count, left: 0 })),
  )
  assert.equal(unknown.status, 422)
  assert.deepEqual(unknown.detail[0].loc, ['body', 'event_types', 1])
  assert.deepEqual(
    await deliveries().then((found) => found.map(({ id, status }) => ({ id, status }))),
    [first, second, third].map((id) => ({ id, status: 'succeeded' })),
  )
  const ids = receiver.requests('failed').map(({ headers }) => headers['webhook-id'])
  assert.deepEqual(
    [...Map.groupBy(ids, (id) => id).values()].map(({ length }) => length),
    [2, 2, 1],
  )
  assert.equal((await again({})).data.deliveries, 0)
})

test('POST …/redeliver-failed sends the 5,000 oldest failed deliveries again and returns how many are left', async () => {
  const own = await buildStore()
  const { token } = await buildStaff(own, { role: 'administrator' })
  const { webhook } = await buildWebhook(own, { url: receiver.hookUrl('many') })
  await moveParcel(own, 1)
  await drainJobs()
  const copy = `
    with copies as (
      insert into events (store_id, id, type, subject_id, data, created_at, sequence, published_at)
      select e.store_id, gen_random_uuid(), e.type, e.subject_id, e.data, e.created_at, e.sequence + n, e.published_at
      from events e, generate_series(1, ${MAX_REDELIVERED + 1}) n
      where e.id = (select event_id from webhook_deliveries where webhook_id = :id)
      returning id)
    insert into webhook_deliveries
    select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'status', 'failed', 'event_id', copies.id,
      'job_id', gen_random_uuid()))).*
    from webhook_deliveries d, copies where d.webhook_id = :id`
  await inStore(own.id, (tx) => tx.knex.raw(copy, { id: webhook.id }))

  const { data } = await request(`POST /admin/webhooks/${webhook.id}/redeliver-failed`, { token, body: {} })

  assert.deepEqual(data, { deliveries: MAX_REDELIVERED, left: 1 })
  await discardJobs()
})

test("POST …/redeliver-failed of an inactive webhook returns webhooks.disabled, of another store's 404", async () => {
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('failed-off'), isActive: false })
  const foreign = await buildWebhook(await buildStore(), { url: receiver.hookUrl('failed-foreign') })
  const again = (id: string) => request(`POST /admin/webhooks/${id}/redeliver-failed`, { token, body: {} })

  assert.equal((await again(webhook.id)).error_code, 'webhooks.disabled')
  assert.equal((await again(foreign.webhook.id)).status, 404)
})

test('a change with a stale If-Match returns resource.changed', async () => {
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('edited') })
  const path = `/admin/webhooks/${webhook.id}`
  const tag = (await request(`GET ${path}`, { token })).headers.get('etag') ?? ''
  const change = () =>
    request(`PATCH ${path}`, {
      token,
      headers: { 'If-Match': tag },
      body: { events: ['*'], description: 'all' },
    })

  const [first, second] = [await change(), await change()]

  assert.deepEqual(first.data.events, ['*'])
  assert.equal(second.error_code, 'resource.changed')
})

test('a rotation returns a new secret; a deleted webhook returns 404 and gets no events', async () => {
  const { webhook, secret } = await buildWebhook(store, { url: receiver.hookUrl('ended') })
  const path = `/admin/webhooks/${webhook.id}`

  const rotated = await request(`POST ${path}/rotate-secret`, { token })
  const deleted = await request(`DELETE ${path}`, { token })
  await moveParcel(store)
  await drainJobs()

  assert.notEqual(rotated.data.secret, secret)
  assert.equal(deleted.data, null)
  assert.equal((await request(`GET ${path}`, { token })).status, 404)
  assert.equal(receiver.requests('ended').length, 0)
})

test("another store's webhooks and deliveries return 404", async () => {
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('theirs') })
  await moveParcel(store)
  await drainJobs()
  const [delivery] = (await request(`GET /admin/webhooks/${webhook.id}/deliveries`, { token })).data
  const lines = [
    `GET /admin/webhooks/${webhook.id}`,
    `DELETE /admin/webhooks/${webhook.id}`,
    `POST /admin/webhooks/${webhook.id}/test`,
    `POST /admin/webhooks/${webhook.id}/rotate-secret`,
    `GET /admin/webhooks/${webhook.id}/deliveries`,
    `GET /admin/webhook-deliveries/${delivery.id}`,
    `POST /admin/webhook-deliveries/${delivery.id}/redeliver`,
    `GET /admin/webhooks/${newId()}`,
  ]

  for (const line of lines) {
    const { status, error_code } = await request(line, { token: elsewhere.token })
    assert.deepEqual({ line, status, error_code }, { line, status: 404, error_code: 'resource.not_found' })
  }
  const change = await request(`PATCH /admin/webhooks/${webhook.id}`, {
    token: elsewhere.token,
    body: { is_active: false },
  })
  assert.equal(change.status, 404)
  assert.deepEqual((await request('GET /admin/webhooks', { token: elsewhere.token })).data, [])
})

test('webhooks without the system right return 403', async () => {
  assert.equal(
    (await create({ url: receiver.hookUrl('x'), events: ['*'] }, analyst)).error_code,
    'auth.forbidden',
  )
  assert.equal((await request('GET /admin/webhooks', { token: analyst })).status, 403)
  assert.equal((await request('GET /admin/webhooks')).status, 401)
})

test('GET /admin/event-types lists each event type with the schema of its data', async () => {
  const { data } = await request('GET /admin/event-types', { token })

  const kind = data.find(({ type }: { type: string }) => type === 'webhook.test')
  assert.deepEqual(Object.keys(kind.data.properties), ['webhook_id', 'message'])
})

test("staff who cannot read a webhook's events see no excerpt of its responses and cannot rotate its secret", async () => {
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('echo'), events: ['ledger.*'] })
  receiver.behave('echo', { status: 200, body: 'booked for Ada' })
  await inStore(store.id, (tx) => emitAll(tx, ledgerBooked, [{ amount: 1 }]))
  await drainJobs()
  const { token: narrow } = await buildApiToken(store, 'system:read', 'system:write')
  const path = `/admin/webhooks/${webhook.id}`
  const excerptsFor = async (as: string) => {
    const [listed] = (await request(`GET ${path}/deliveries`, { token: as })).data
    const { data: read } = await request(`GET /admin/webhook-deliveries/${listed.id}`, { token: as })
    const again = await request(`POST /admin/webhook-deliveries/${listed.id}/redeliver`, { token: as })
    return [listed, read, again.data].map(({ attempts }) => attempts[0].response_excerpt)
  }

  const ofAdministrator = await excerptsFor(token)
  const ofNarrow = await excerptsFor(narrow)
  const { error_code } = await request(`POST ${path}/rotate-secret`, { token: narrow })

  assert.deepEqual(ofAdministrator, Array(3).fill('booked for Ada'))
  assert.deepEqual(ofNarrow, ['', '', ''])
  assert.equal(error_code, 'auth.forbidden')
})

test('above 60 look-ups of hosts a minute, a store gets 429, and another one does not', async () => {
  const [busy, other] = [await buildStore(), await buildStore()]
  await consumeQuota(`host look-ups of ${busy.id}`, { limit: 60, units: 60 })
  const register = async (store: BuiltStore) => {
    const { token } = await buildStaff(store, { role: 'owner' })
    const body = { url: 'http://localhost/hook', events: ['order.created'] }
    const created = await request('POST /admin/webhooks', { token, body })
    const changed = await request(`PATCH /admin/webhooks/${created.data?.id ?? newId()}`, {
      token,
      body: { url: body.url },
    })
    return [created.status, changed.status]
  }

  assert.deepEqual(await register(busy), [429, 429])
  assert.deepEqual(await register(other), [201, 200])
})
