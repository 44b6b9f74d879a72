import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { buildApiToken, buildStaff } from '#test/support/builders/accounts.ts'
import { buildCapturedOrder } from '#test/support/builders/captured-order.ts'
import { buildShop, confirm, placeCardOrder } from '#test/support/builders/place-orders.ts'
import { buildReturn } from '#test/support/builders/returns.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import { notify } from '#test/support/processes/notify.ts'

beforeEach(() => mailbox.clear())

async function scene() {
  const shop = await buildShop(10)
  const order = await placeCardOrder(shop, 2)
  const { token, id } = await buildStaff(shop.store, { role: 'owner' })
  const note = (body: object) => request(`POST /admin/orders/${order.id}/notes`, { token, body })
  const asBuyer = async () =>
    (await request(`GET /orders/${order.id}?access_token=${order.accessToken}`, { store: shop.store })).data
  return {
    shop,
    order,
    token,
    staffId: id,
    note,
    asBuyer,
    history: async () => (await request(`GET /admin/orders/${order.id}/history`, { token })).data,
  }
}

test('a note with notify is mailed to the buyer', async () => {
  const { note } = await scene()
  await drainJobs()
  mailbox.clear()

  await note({ body: 'We wrap it\nas a gift.', is_customer_visible: true, notify: true })
  await drainJobs()

  const [mail, ...others] = mailbox.mails()
  assert.equal(others.length, 0)
  assert.match(mail?.subject ?? '', /^A message about your order/)
  assert.match(mail?.text ?? '', /We wrap it\n\nas a gift\./)
})

test('the history lists all events of an order by time, with the names of their actors', async () => {
  const { shop, order, token, staffId, note, history } = await scene()
  await notify('payment_intent.succeeded', await confirm(order.reference))
  await note({ body: 'Wrapped', is_customer_visible: true })
  const program = await buildApiToken(shop.store, 'sales:read', 'sales:write')
  await request(`PATCH /admin/orders/${order.id}`, { token: program.token, body: { status: 'shipped' } })
  await request(`POST /admin/orders/${order.id}/refunds`, {
    token,
    key: randomUUID(),
    headers: { Prefer: 'respond-async' },
    body: { amount: 5, reason: 'A scratch' },
  })
  await drainJobs()

  const entries = await history()

  assert.partialDeepStrictEqual(
    entries.filter(({ kind }: { kind: string }) => kind !== 'mail'),
    [
      { kind: 'status', status: 'pending', actor: { type: 'guest', name: '' } },
      { kind: 'payment', status: 'captured', amount: 25, currency: 'EUR' },
      { kind: 'status', status: 'processing', actor: { type: 'gateway' } },
      { kind: 'note', text: 'Wrapped', actor: { type: 'staff', id: staffId } },
      { kind: 'status', status: 'shipped', actor: { type: 'api_token', id: program.id } },
      { kind: 'refund', status: 'succeeded', amount: 5, text: 'A scratch' },
    ],
  )
  assert.ok(
    entries.every(
      ({ actor }: { actor: { type: string; name: string } }) => actor.type !== 'staff' || actor.name,
    ),
  )
  const mails = entries.filter(({ kind }: { kind: string }) => kind === 'mail')
  assert.deepEqual(mails.map(({ text }: { text: string }) => text).sort(), [
    'paid',
    'placed',
    'refunded',
    'shipped',
  ])
})

test('the history has each shipment with its tracking, deleted ones too, and the steps of returns', async () => {
  const store = await buildStore()
  const order = await buildCapturedOrder(store, { lines: [{ priceMinor: 1_000n, quantity: 3 }] })
  const { token, id } = await buildStaff(store, { role: 'owner' })
  const path = `/admin/orders/${order.id}`
  const ship = async (quantity: number, tracking_number: string) => {
    const items = [{ order_item_id: order.lines[0]?.id, quantity }]
    const body = { items, carrier: 'DHL', tracking_number }
    return (await request(`POST ${path}/shipments`, { token, body })).data
  }
  const first = await ship(1, '001')
  const wrong = await ship(1, '002')
  await request(`DELETE ${path}/shipments/${wrong.id}`, { token })
  const last = await ship(2, '003')
  const rma = await buildReturn(store, order)
  await request(`POST /admin/returns/${rma.id}/approve`, { token, body: {} })

  const { data } = await request(`GET ${path}/history`, { token })

  const of = (kind: string) => data.filter((entry: { kind: string }) => entry.kind === kind)
  const actor = { type: 'staff', id }
  assert.equal(of('shipment').length, 4)
  assert.partialDeepStrictEqual(of('shipment'), [
    { id: first.id, text: 'DHL 001. Shipped in part.', actor },
    { id: wrong.id, text: 'Shipped in part.', actor },
    { id: wrong.id, text: 'A shipment was deleted: its units are allocated again', actor },
    { id: last.id, text: 'DHL 003', actor },
  ])
  assert.partialDeepStrictEqual(of('return'), [
    { id: rma.id, text: `Return ${rma.number} requested`, actor: { type: 'system' } },
    { id: rma.id, text: `Return ${rma.number} approved`, actor },
  ])
  assert.deepEqual(of('internal_note'), [])
})

test('a guest finds an order by number and e-mail, and reads it with the token', async () => {
  const { shop, order, asBuyer } = await scene()
  const { number, email } = await asBuyer()
  const lookUp = (body: object) => request('POST /orders/lookup', { store: shop.store, body })

  const found = await lookUp({ number: number.toLowerCase(), email: email.toUpperCase() })

  assert.equal(found.status, 200)
  const { access_token } = found.data
  const read = await request(`GET /orders/${order.id}?access_token=${access_token}`, { store: shop.store })
  assert.deepEqual({ status: read.status, number: read.data.number }, { status: 200, number })
})

test('a wrong number, a wrong address, another store and a customer’s order get the same response', async () => {
  const { shop, asBuyer } = await scene()
  const other = await buildShop()
  const { number, email } = await asBuyer()

  const answers = await Promise.all([
    request('POST /orders/lookup', { store: shop.store, body: { number: 'AAAAA-AAAAA', email } }),
    request('POST /orders/lookup', { store: shop.store, body: { number, email: 'eve@example.test' } }),
    request('POST /orders/lookup', { store: other.store, body: { number, email } }),
  ])

  assert.deepEqual(
    answers.map(({ status, error_code }) => ({ status, error_code })),
    Array(3).fill({ status: 404, error_code: 'resource.not_found' }),
  )
})
