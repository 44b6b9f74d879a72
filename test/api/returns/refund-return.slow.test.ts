import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testBooks } from '#test/support/books/test-books.ts'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { readOrder, readRefunds } from '#test/support/books/read-refunds.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'
import { AT_ONCE, buildReceivedScene, buildReturnScene } from '#test/support/builders/return-scene.ts'
import { buildReceivedReturn, buildReturn } from '#test/support/builders/returns.ts'
import { buildVoucher, readVoucher } from '#test/support/builders/vouchers.ts'
import { type RequestOptions, request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import { withWorker } from '#test/support/processes/with-worker.ts'

test('arrived units are refunded when the gateway confirms; missing units are not', async () => {
  const { store, order, staff } = await buildReturnScene({
    gateway,
    lines: [{ priceMinor: 1_000n, quantity: 3 }],
  })
  const { id, itemIds } = await buildReturn(store, order, { units: [3] })
  await staff(`POST /admin/returns/${id}/approve`, { body: {} })
  const items = [
    { id: itemIds[0], quantity: 1, disposition: 'missing' },
    { id: itemIds[0], quantity: 2, disposition: 'not_restocked' },
  ]
  await staff(`POST /admin/returns/${id}/receive`, { body: { items } })

  const { status, data } = await withWorker(
    staff(`POST /admin/returns/${id}/refund`, { key: newId(), body: { shipping_amount: 2.5 } }),
  )
  await drainJobs()

  assert.deepEqual(
    { status, amount: data.refund.amount, refundStatus: data.refund.status },
    { status: 201, amount: 22.5, refundStatus: 'succeeded' },
  )
  const [made] = gateway.ledger().refunds.filter(({ payment_intent }) => payment_intent === order.reference)
  assert.equal(made?.amount, 2_250)
  assert.equal((await staff(`GET /admin/returns/${id}`)).data.status, 'completed')
  assert.equal((await staff(`GET /admin/orders/${order.id}`)).data.items[0].refunded_quantity, 2)
})

test('the buyer reads the comment of a return, and the reason of its refund by mail', async () => {
  const { built, step, staff, buyer } = await buildReceivedScene({ gateway })
  const path = `/admin/returns/${built.id}`
  await staff(`PATCH ${path}`, { body: { comment: 'The seam is torn' } })
  await step('refund', { body: { reason: 'A fault of the fabric' }, headers: AT_ONCE })
  await drainJobs()

  const { data } = await buyer(`GET /returns/${built.id}`)
  const mails = mailbox.mails().filter(({ text }) => text.includes('A fault of the fabric'))
  assert.deepEqual({ comment: data.comment, mails: mails.length }, { comment: 'The seam is torn', mails: 1 })
})

test('Prefer: respond-async returns 202; a second refund returns 409', async () => {
  const { step, status } = await buildReceivedScene({ gateway })

  const first = await step('refund', { body: {}, headers: AT_ONCE })
  const second = await step('refund', { body: {}, headers: AT_ONCE })
  await drainJobs()
  const third = await step('refund', { body: {}, headers: AT_ONCE })

  assert.deepEqual(
    {
      firstStatus: first.status,
      refundStatus: first.data.refund.status,
      second_error_code: second.error_code,
      third_error_code: third.error_code,
    },
    {
      firstStatus: 202,
      refundStatus: 'pending',
      second_error_code: 'refund.in_progress',
      third_error_code: 'return.already_refunded',
    },
  )
  assert.equal(await status(), 'received', 'the units are not on the shelf yet')
})

test('a repeated request returns the same refund; one without a key returns idempotency.key_required', async () => {
  const { step } = await buildReceivedScene()
  const key = newId()

  const first = await step('refund', { key, body: {} })
  const again = await step('refund', { key, body: {} })

  assert.deepEqual(
    { firstStatus: first.status, againStatus: again.status, data: again.data },
    { firstStatus: 201, againStatus: 201, data: first.data },
  )
  assert.equal((await step('refund', { key: '', body: {} })).error_code, 'idempotency.key_required')
})

test('a refund that the gateway refuses can be requested again', async () => {
  const { step, status } = await buildReceivedScene({ gateway }, { disposition: 'not_restocked' })
  gateway.faults.set({ on: 'POST /v1/refunds', mode: 'decline', times: 1 })

  const failed = await withWorker(step('refund', { body: {} }))
  const again = await withWorker(step('refund', { body: {} }))
  await drainJobs()

  assert.partialDeepStrictEqual(failed, { status: 201, data: { refund: { status: 'failed' } } })
  assert.partialDeepStrictEqual(again, { status: 201, data: { refund: { status: 'succeeded' } } })
  assert.equal(await status(), 'completed')
})

test('units that were refunded without the return are not refunded twice', async () => {
  const { store, order, staff, step, status } = await buildReceivedScene({}, { units: [2] })
  const refund = { items: [{ order_item_id: order.lines[0]?.id, quantity: 1 }] }
  await staff(`POST /admin/orders/${order.id}/refunds`, { key: newId(), body: refund })

  const { data } = await step('refund', { body: {} })
  const again = await step('refund', { body: {} })
  await step('restock')

  assert.partialDeepStrictEqual(data.refund, { amount: 10, status: 'succeeded' })
  assert.equal(again.error_code, 'return.already_refunded')
  assert.equal(await status(), 'completed')
  assert.equal((await readOrder(store, order.id)).amountRefundedMinor, 2_000n)
})

test('a return whose units were refunded without it is completed', async () => {
  const { order, staff, step, status } = await buildReceivedScene({}, { disposition: 'not_restocked' })
  const refund = { items: [{ order_item_id: order.lines[0]?.id, quantity: 2 }] }
  await staff(`POST /admin/orders/${order.id}/refunds`, { key: newId(), body: refund })

  const { error_code } = await step('refund', { body: {} })
  await drainJobs()

  assert.deepEqual(
    { error_code, status: await status() },
    { error_code: 'return.already_refunded', status: 'completed' },
  )
})

for (const [why, body, refused] of [
  ['that comes to 0', { fee_amount: 10 }, { status: 409, error_code: 'order.nothing_to_refund' }],
  [
    'of more shipping than was paid',
    { shipping_amount: 5.01 },
    { status: 422, error_code: 'refund.exceeds_paid' },
  ],
] as const)
  test(`a refund of a return ${why} returns ${refused.error_code} and refunds nothing`, async () => {
    const { store, order, step, status } = await buildReceivedScene()

    const answer = await step('refund', { body })

    assert.partialDeepStrictEqual(answer, refused)
    assert.deepEqual(await readRefunds(store, order.id), [])
    assert.equal(await status(), 'received')
  })

test('a return with another action returns 409 to refund and replace', async () => {
  const replacement = await buildReceivedScene({}, { action: 'replacement' })
  const refund = await buildReceivedScene()

  assert.equal((await replacement.step('refund', { body: {} })).error_code, 'return.other_action')
  assert.equal((await refund.step('replace')).error_code, 'return.other_action')
})

test('a fee is deducted from the refund, up to its amount', async () => {
  const { store, order, step } = await buildReceivedScene({ gateway }, { units: [2] })

  const tooMuch = await step('refund', { body: { fee_amount: 20.01, shipping_amount: 5 } })
  const { data } = await withWorker(step('refund', { body: { fee_amount: 3.5, shipping_amount: 5 } }))

  assert.deepEqual(
    { status: tooMuch.status, loc: tooMuch.detail[0].loc },
    { status: 422, loc: ['body', 'fee_amount'] },
  )
  assert.equal(data.refund.amount, 21.5)
  assert.equal((await readOrder(store, order.id)).refundableMinor, 350n)
})

test('the action credit mails a voucher over the paid price, and refunds no money', async () => {
  const here = await buildReceivedScene({ gateway }, { action: 'credit', disposition: 'not_restocked' })
  const { store, order, staff, step } = here

  const { status, data } = await step('refund', { body: {} })
  const again = await step('refund', { body: {} })
  const drained = await drainJobs()

  assert.deepEqual(
    { status, dataStatus: data.status, amount: data.refund.amount },
    { status: 201, dataStatus: 'completed', amount: 10 },
  )
  const { data: voucher } = await staff(`GET /admin/vouchers/${data.voucher_id}`)
  assert.partialDeepStrictEqual(voucher, {
    amount: 10,
    amount_remaining: 10,
    order_id: order.id,
    to_email: data.email,
  })
  assert.ok(drained.some(({ queue, error }) => queue === 'send-mail' && !error))
  assert.equal(again.error_code, 'return.already_refunded')
  const purged = await staff(`DELETE /admin/vouchers/${voucher.id}?purge=true`)
  assert.partialDeepStrictEqual(purged, { status: 409, error_code: 'voucher.in_use' })
  assert.equal((await staff(`GET /admin/vouchers/${voucher.id}`)).data.amount_remaining, 10)
  assert.deepEqual(
    gateway.ledger().refunds.filter(({ payment_intent }) => payment_intent === order.reference),
    [],
  )
  assert.equal((await readOrder(store, order.id)).refundableMinor, 1_500n)

  await withWorker(staff(`PATCH /admin/orders/${order.id}`, { body: { status: 'refunded' } }))
  const [rest] = gateway.ledger().refunds.filter(({ payment_intent }) => payment_intent === order.reference)
  assert.equal(rest?.amount, 1_500)
})

test('the refunds of all units, returned one by one, sum up to the paid price', async () => {
  const { store, order, staff } = await buildReturnScene({
    lines: [
      { priceMinor: 333n, quantity: 3, taxMinor: 170n },
      { priceMinor: 1_999n, quantity: 2, taxMinor: 259n },
    ],
    discountMinor: 101n,
    shippingMinor: 490n,
    shippingTaxMinor: 93n,
  })
  const paidBack = async (units: number[], action: 'refund' | 'credit') => {
    const { id } = await buildReceivedReturn(store, order, { units, action })
    const { data } = await staff(`POST /admin/returns/${id}/refund`, { key: newId(), body: {} })
    return Math.round(data.refund.amount * 100)
  }

  const parts = [
    await paidBack([1], 'refund'),
    await paidBack([0, 1], 'credit'),
    await paidBack([1], 'refund'),
    await paidBack([0, 1], 'refund'),
    await paidBack([1], 'credit'),
  ]

  // 9.99 and 39.98, less 1.01 off by price, with their own taxes: 9.99 − 0.20 + 1.70, and 39.98 − 0.81 + 2.59.
  assert.equal((parts[0] ?? 0) + (parts[2] ?? 0) + (parts[4] ?? 0), 1_149)
  assert.equal((parts[1] ?? 0) + (parts[3] ?? 0), 4_176)
  assert.equal((await readOrder(store, order.id)).refundableMinor, 583n, 'shipping with its tax')
})

test("a voucher's part is refunded to the voucher; credit is another voucher; both sum up to the paid amount at most", async () => {
  const shop = await buildShop()
  const { store } = shop
  const { token } = await buildStaff(store, { role: 'owner' })
  const staff = (line: string, more: RequestOptions = {}) => request(line, { token, key: newId(), ...more })
  const { id: voucherId, code } = await buildVoucher(store, { amountMinor: 2_500n })
  const cart = await fillCart(store, shop.variantId, 2)
  const body = { voucher_code: code, payment_method: 'voucher' }
  const { data: bought } = await checkOut(shop, { cart, body })
  await staff(`PATCH /admin/orders/${bought.order.id}`, { body: { status: 'shipped' } })
  const order = { id: bought.order.id, lines: bought.order.items }
  const returned = async (action: 'refund' | 'credit') => {
    const { id } = await buildReceivedReturn(store, order, { action, disposition: 'not_restocked' })
    return (await staff(`POST /admin/returns/${id}/refund`, { body: {} })).data
  }

  const credited = await returned('credit')
  const refunded = await returned('refund')
  await staff(`PATCH /admin/orders/${order.id}`, { body: { status: 'refunded' } })

  for (const done of [credited, refunded])
    assert.partialDeepStrictEqual(done, { status: 'completed', refund: { amount: 10 } })
  assert.equal((await readVoucher(store, credited.voucher_id)).remainingMinor, 1_000n)
  assert.equal((await readVoucher(store, voucherId)).remainingMinor, 1_500n)
  assert.equal((await readOrder(store, order.id)).refundableMinor, 0n)
})

test('a refund whose money came back can be requested again', async () => {
  const { store, order, staff, step, status, built } = await buildReceivedScene(
    { gateway },
    { disposition: 'not_restocked' },
  )
  const { data: first } = await withWorker(step('refund', { body: {} }))
  await drainJobs()
  const bounced = { status: 'failed', reference: null, failureReason: 'lost_or_stolen_card' } as const
  await inStore(store.id, (tx) => settleRefund(tx, first.refund.id, bounced))
  await drainJobs()
  const { history } = (await staff(`GET /admin/orders/${order.id}`)).data

  const { data: second } = await withWorker(step('refund', { body: {} }))

  assert.equal(
    history.at(-1).note,
    `Return ${built.number} is completed, and its goods are not refunded any more`,
  )
  assert.equal(second.refund.status, 'succeeded')
  assert.equal(await status(), 'completed')
  assert.notEqual(second.refund.id, first.refund.id)
})

for (const [role, code] of [
  ['accounting', null],
  ['sales', 'order.refund_forbidden'],
  ['support', 'order.refund_forbidden'],
  ['analyst', 'auth.forbidden'],
] as const)
  test(`the role ${role} ${code ? 'may not' : 'may'} pay a return back`, async () => {
    const { store, built } = await buildReceivedScene()
    const { token } = await buildStaff(store, { role })

    const answer = await request(`POST /admin/returns/${built.id}/refund`, { token, key: newId(), body: {} })

    assert.equal(answer.error_code, code)
  })

testBooks()
