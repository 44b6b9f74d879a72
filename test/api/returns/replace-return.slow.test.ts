import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ignoreBooksOf, testBooks } from '#test/support/books/test-books.ts'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { bookGatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { readOrder } from '#test/support/books/read-refunds.ts'
import { AT_ONCE, buildReceivedScene } from '#test/support/builders/return-scene.ts'
import { buildReceivedReturn } from '#test/support/builders/returns.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { withWorker } from '#test/support/processes/with-worker.ts'

test('a replacement places one free order of the same goods', async () => {
  const here = await buildReceivedScene(
    {},
    { action: 'replacement', units: [2], disposition: 'not_restocked' },
  )
  const { store, order, staff, step } = here
  const variantId = order.lines[0]?.variantId ?? ''

  const { status, data } = await step('replace')
  const again = await step('replace')

  assert.deepEqual(
    { status, dataStatus: data.status, error_code: again.error_code },
    { status: 200, dataStatus: 'completed', error_code: 'return.already_replaced' },
  )
  const { data: replacement } = await staff(`GET /admin/orders/${data.replacement_order_id}`)
  assert.deepEqual(
    {
      status: replacement.status,
      payment_status: replacement.payment_status,
      total: replacement.total,
      customer_id: replacement.customer_id,
      quantity: replacement.items[0].quantity,
      sku: replacement.items[0].sku,
    },
    {
      status: 'processing',
      payment_status: 'paid',
      total: 0,
      customer_id: data.customer_id,
      quantity: 2,
      sku: data.items[0].sku,
    },
  )
  assert.deepEqual(await stockOf(store, variantId), { onHand: 98, allocated: 2, held: 0 })
  await staff(`PATCH /admin/orders/${replacement.id}`, { body: { status: 'shipped' } })
  assert.equal((await stockOf(store, variantId)).onHand, 96)
})

test('replaced units are refunded only with override and a reason', async () => {
  const { store, order, staff, step } = await buildReceivedScene({}, { action: 'replacement' })
  const { data: replaced } = await step('replace')
  const items = [{ order_item_id: order.lines[0]?.id, quantity: 2 }]
  const refund = (body: object) => staff(`POST /admin/orders/${order.id}/refunds`, { key: newId(), body })

  const all = await staff(`PATCH /admin/orders/${order.id}`, { body: { status: 'refunded' } })
  const units = await refund({ items })
  const amount = await refund({ amount: 15.01 })
  const allowed = await refund({ amount: 15 })
  const more = await refund({ amount: 10, override: true, reason: 'Lost by the carrier' })

  assert.ok(replaced.replacement_order_id)
  assert.deepEqual(
    [all, units, amount].map(({ status, error_code }) => ({ status, error_code })),
    [
      { status: 422, error_code: 'refund.units_replaced' },
      { status: 422, error_code: 'refund.quantity_exceeded' },
      { status: 422, error_code: 'refund.units_replaced' },
    ],
  )
  assert.match(amount.error ?? '', /at most 15 EUR/)
  assert.deepEqual({ allowed: allowed.status, more: more.status }, { allowed: 201, more: 201 })
  assert.equal((await readOrder(store, order.id)).status, 'refunded')
})

test('if the price of returned units was refunded as an amount, the refund of the return is not taken from replaced units', async () => {
  const { store, order, staff, step } = await buildReceivedScene({}, { action: 'replacement' })
  const second = await buildReceivedReturn(store, order)
  await step('replace')
  await staff(`POST /admin/orders/${order.id}/refunds`, { key: newId(), body: { amount: 15 } })

  const refused = await staff(`POST /admin/returns/${second.id}/refund`, { key: newId(), body: {} })

  assert.partialDeepStrictEqual(refused, { status: 422, error_code: 'refund.units_replaced' })
  assert.equal((await readOrder(store, order.id)).amountRefundedMinor, 1_500n)
})

test('a replacement whose price the gateway has refunded is neither shipped nor replaced', async () => {
  const here = await buildReceivedScene({ gateway }, { action: 'replacement', disposition: 'not_restocked' })
  const { store, order, staff, step } = here
  const first = `/admin/orders/${(await step('replace')).data.replacement_order_id}`
  const { data: shipped } = await staff(`PATCH ${first}`, { body: { status: 'shipped' } })
  const lines = [{ id: shipped.items[0].id, variantId: order.lines[0]?.variantId ?? '', quantity: 1 }]
  const again = await buildReceivedReturn(store, { id: shipped.id, lines }, { action: 'replacement' })
  const replace = () => staff(`POST /admin/returns/${again.id}/replace`, { key: newId() })
  const second = `/admin/orders/${(await replace()).data.replacement_order_id}`
  await inStore(store.id, (tx) =>
    bookGatewayRefund(tx, {
      provider: 'stripe',
      reference: `re_${order.id}`,
      paymentReference: order.reference ?? '',
      status: 'succeeded',
      amountMinor: 2_500n,
      currency: 'EUR',
      refundId: null,
      failureReason: null,
    }),
  )

  const whole = await staff(`PATCH ${second}`, { body: { status: 'shipped' } })
  const parcel = await staff(`POST ${second}/shipments`, { body: {} })
  const { data: unshipped } = await staff(`GET ${second}`)
  await staff(`PATCH ${second}`, { body: { status: 'canceled' } })
  const replaced = await replace()

  for (const refused of [whole, parcel, replaced])
    assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'order.replaced_units_refunded' })
  assert.partialDeepStrictEqual(unshipped, { status: 'processing', shipments: [] })
})

test('refunded units are not replaced', async () => {
  const { order, staff, step } = await buildReceivedScene({ gateway }, { action: 'replacement' })
  await withWorker(staff(`PATCH /admin/orders/${order.id}`, { body: { status: 'refunded' } }))

  const { status, error_code } = await step('replace')

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'return.already_refunded' })
})

test('units are not replaced while a refund is in progress, nor after a refund of the whole amount', async () => {
  const { order, staff, step } = await buildReceivedScene({ gateway }, { action: 'replacement' })
  const amount = Number(order.totalMinor) / 100
  const asked = { key: newId(), headers: AT_ONCE, body: { amount } }
  await staff(`POST /admin/orders/${order.id}/refunds`, asked)

  const during = await step('replace')
  await drainJobs()
  const after = await step('replace')

  assert.equal(during.error_code, 'refund.in_progress')
  assert.equal(after.error_code, 'return.already_refunded')
})

test('two returns replace one of two units if the other is refunded', async () => {
  const { store, order, staff, step } = await buildReceivedScene({}, { action: 'replacement' })
  const second = await buildReceivedReturn(store, order, { action: 'replacement' })
  const items = [{ order_item_id: order.lines[0]?.id, quantity: 1 }]
  await staff(`POST /admin/orders/${order.id}/refunds`, { key: newId(), body: { items } })

  const first = await step('replace')
  const more = await staff(`POST /admin/returns/${second.id}/replace`, { key: newId() })

  assert.deepEqual(
    { status: first.status, error_code: more.error_code },
    { status: 200, error_code: 'return.already_refunded' },
  )
})

test('a canceled replacement can be requested again', async () => {
  const { staff, step } = await buildReceivedScene(
    {},
    { action: 'replacement', disposition: 'not_restocked' },
  )
  const { data: first } = await step('replace')
  await staff(`PATCH /admin/orders/${first.replacement_order_id}`, { body: { status: 'canceled' } })

  const { status, data: second } = await step('replace')

  assert.equal(status, 200)
  assert.notEqual(second.replacement_order_id, first.replacement_order_id)
  assert.equal((await step('replace')).error_code, 'return.already_replaced')
})

test('units without stock or without a variant are not replaced', async () => {
  const here = await buildReceivedScene(
    {},
    { action: 'replacement', units: [2], disposition: 'not_restocked' },
  )
  const { store, order, staff, step, built } = here
  const [line] = order.lines
  const setLine = (set: object) =>
    inStore(store.id, (tx) =>
      tx
        .knex('order_items')
        .where('id', line?.id ?? '')
        .update(set),
    )

  ignoreBooksOf(store)
  await inStore(store.id, (tx) =>
    tx.knex('product_variants').where('id', line?.variantId).update({ stock_on_hand: 1 }),
  )
  assert.equal((await step('replace')).error_code, 'checkout.insufficient_stock')
  await setLine({ variant_id: null })
  assert.equal((await step('replace')).error_code, 'return.not_replaceable')
  const { data } = await staff(`PATCH /admin/returns/${built.id}`, { body: { action: 'refund' } })
  assert.equal(data.status, 'received')
})

testBooks()
