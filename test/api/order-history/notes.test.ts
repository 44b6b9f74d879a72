import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { OrderNote } from '#shared/order-history/order-note.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'

/** A guest's order by bank transfer, with what its buyer reads and staff do. */
async function scene() {
  const store = await buildStore()
  const order = await buildOrder(store, { paymentMethod: 'bank_transfer' })
  const { token, id: staffId } = await buildStaff(store, { role: 'accounting' })
  const path = `/admin/orders/${order.id}`
  const note = (body: object) => request(`POST ${path}/notes`, { token, body })
  const history = async () => (await request(`GET ${path}/history`, { token })).data
  const notesOfBuyer = async () =>
    (await request(`GET /orders/${order.id}?access_token=${order.accessToken}`, { store })).data.notes
  return { store, order, token, staffId, path, note, history, notesOfBuyer }
}

test('the buyer sees the notes meant for them, and no internal one', async () => {
  const { note, notesOfBuyer } = await scene()

  const internal = await note({ body: 'Looks like fraud' })
  const visible = await note({ body: 'We wrap it as a gift.', is_customer_visible: true })

  assert.deepEqual({ internal: internal.status, visible: visible.status }, { internal: 201, visible: 201 })
  const notes = await notesOfBuyer()
  assert.deepEqual(
    notes.map(({ body }: { body: string }) => body),
    ['We wrap it as a gift.'],
  )
})

test('the history lists the order and its notes by time, with the names of their actors', async () => {
  const { note, history, staffId } = await scene()
  await note({ body: 'Wrapped' })

  const entries = await history()

  assert.partialDeepStrictEqual(entries, [
    { kind: 'status', status: 'pending', actor: { type: 'guest', name: '' } },
    { kind: 'internal_note', text: 'Wrapped', actor: { type: 'staff', id: staffId, name: 'Grace Hopper' } },
  ])
})

test('a payment that staff recorded has their name, and a mailed note is a mail', async () => {
  const { token, staffId: id, path, note, history } = await scene()
  await request(`POST ${path}/mark-paid`, { token, body: {} })
  await note({ body: 'We wrap it.', is_customer_visible: true, notify: true })

  const entries = await history()

  const actor = { type: 'staff', id, name: 'Grace Hopper' }
  const found = (kind: string) => entries.find((entry: { kind: string }) => entry.kind === kind)
  assert.partialDeepStrictEqual(found('payment'), { status: 'captured', actor })
  assert.partialDeepStrictEqual(found('mail'), { text: 'note', actor })
})

test('an internal note that is to be mailed returns 422 and is not added', async () => {
  const { note, history } = await scene()
  const before = await history()

  const { status, error_code } = await note({ body: 'Internal', notify: true })

  assert.deepEqual({ status, error_code }, { status: 422, error_code: 'validation.failed' })
  assert.deepEqual(await history(), before)
})

test('the 201st note of an order is refused; another order accepts one', async () => {
  const { store, order, token, note } = await scene()
  const old = Array.from({ length: 200 }, () => ({
    orderId: order.id,
    body: 'Old',
    isCustomerVisible: false,
    isMailed: false,
    actor: 'system' as const,
    createdAt: now(),
  }))
  await inStore(store.id, (tx) => OrderNote.in(tx).insert(old))
  const other = await buildOrder(store, { paymentMethod: 'bank_transfer' })

  const refused = await note({ body: 'One more' })
  const elsewhere = await request(`POST /admin/orders/${other.id}/notes`, { token, body: { body: 'First' } })

  assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'order.note_limit_reached' })
  assert.equal(elsewhere.status, 201)
})

test("another store's order returns 404 and gets no note", async () => {
  const theirs = await scene()
  const before = await theirs.history()
  const { token } = await scene()

  const noted = await request(`POST ${theirs.path}/notes`, { token, body: { body: 'Ours' } })
  const read = await request(`GET ${theirs.path}/history`, { token })

  for (const { status, error_code } of [noted, read])
    assert.deepEqual({ status, error_code }, { status: 404, error_code: 'resource.not_found' })
  assert.deepEqual(await theirs.history(), before)
})
