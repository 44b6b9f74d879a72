import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, inMs, now } from '#shared/platform/time/clock.ts'
import { settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { readRefunds } from '#test/support/books/read-refunds.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildShop } from '#test/support/builders/place-orders.ts'
import { buyByBoth, buyWith } from '#test/support/builders/spend-vouchers.ts'
import { buildVoucher, ledgerOf, readVoucher } from '#test/support/builders/vouchers.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { withWorker } from '#test/support/processes/with-worker.ts'

const refund = (token: string, orderId: string, body: object) =>
  withWorker(request(`POST /admin/orders/${orderId}/refunds`, { token, key: randomUUID(), body }))

test("a refund outside the gateway pays the card's part by other means, and the rest to the voucher", async () => {
  const { id, token, paid, voucher } = await buyByBoth()
  await paid()

  const { data } = await refund(token, id, { amount: 15, outside_gateway: true, reason: 'By transfer' })

  assert.partialDeepStrictEqual(data, { status: 'succeeded', amount: 15, voucher_amount: 5 })
  assert.equal((await voucher()).remainingMinor, 500n)
})

test('after the card’s part was paid by other means, the voucher gets the rest, not the card', async () => {
  const { id, token, paid, order, voucher } = await buyByBoth()
  await paid()
  const outside = { outside_gateway: true, reason: 'By transfer' }

  const first = await refund(token, id, { amount: 6, ...outside })
  const second = await refund(token, id, { amount: 5 })
  const rest = await withWorker(request(`PATCH /admin/orders/${id}`, { token, body: { status: 'refunded' } }))

  assert.partialDeepStrictEqual(first.data, { status: 'succeeded', amount: 6, voucher_amount: 0 })
  assert.partialDeepStrictEqual(second.data, { status: 'succeeded', amount: 5, voucher_amount: 1 })
  assert.equal(rest.status, 200)
  assert.equal((await order()).status, 'refunded')
  assert.equal((await voucher()).remainingMinor, 500n)
})

test('a refund pays back the card first, then the voucher without the gateway', async () => {
  const { store, id, token, paid, order, voucher } = await buyByBoth()
  await paid()
  const refundsAtGateway = () => gateway.ledger().refunds.length

  const first = await refund(token, id, { amount: 8 })
  const second = await refund(token, id, { amount: 3 })
  const asked = refundsAtGateway()
  const third = await refund(token, id, { amount: 4 })
  const fourth = await refund(token, id, { amount: 0.01 })

  assert.partialDeepStrictEqual(first.data, { status: 'succeeded', amount: 8, voucher_amount: 0 })
  assert.partialDeepStrictEqual(second.data, { status: 'succeeded', amount: 3, voucher_amount: 1 })
  assert.partialDeepStrictEqual(third.data, { status: 'succeeded', amount: 4, voucher_amount: 4 })
  assert.equal(refundsAtGateway(), asked)
  assert.equal(fourth.error_code, 'order.nothing_to_refund')
  assert.equal((await order()).status, 'refunded')
  assert.equal((await voucher()).remainingMinor, 500n)
  assert.deepEqual(await ledgerOf(store, (await voucher()).id), [
    'issue 500',
    'reserve 500',
    'capture 500',
    'refund 100',
    'refund 400',
  ])
})

test('an order paid only by voucher is refunded to the voucher immediately, and only once', async () => {
  const shop = await buildShop()
  const { token } = await buildStaff(shop.store, { role: 'accounting' })
  const { id, code } = await buildVoucher(shop.store)
  const { data } = await buyWith(shop, { voucher_code: code, payment_method: 'voucher' })
  const line = `PATCH /admin/orders/${data.order.id}`

  const refunded = await request(line, { token, body: { status: 'refunded' } })
  const again = await request(line, { token, body: { status: 'refunded' } })

  assert.equal(refunded.status, 200)
  assert.equal(refunded.data.status, 'refunded')
  assert.equal(again.status, 200)
  assert.equal((await readVoucher(shop.store, id)).remainingMinor, 5_000n)
})

for (const [when, livesMs] of Object.entries({ 'has expired': DAY_MS, 'expires soon': 5 * DAY_MS }))
  test(`a refund to a voucher that ${when} can be spent for 30 days`, async () => {
    const shop = await buildShop()
    const { id, code } = await buildVoucher(shop.store, { amountMinor: 1_500n, expiresAt: inMs(livesMs) })
    const { data } = await buyWith(shop, { voucher_code: code, payment_method: 'voucher' })
    moveClock(2 * DAY_MS)
    const { token } = await buildStaff(shop.store, { role: 'accounting' })

    await request(`PATCH /admin/orders/${data.order.id}`, { token, body: { status: 'refunded' } })
    moveClock(31 * DAY_MS)
    const spent = await buyWith(shop, { voucher_code: code, payment_method: 'voucher' })

    assert.equal(spent.status, 201)
    const { expiresAt } = await readVoucher(shop.store, id)
    assert.ok(expiresAt && expiresAt > now() && expiresAt <= inMs(DAY_MS))
  })

test('a refund to an expired voucher makes its own amount spendable again, not what had expired', async () => {
  const shop = await buildShop()
  const { id, code } = await buildVoucher(shop.store, { amountMinor: 50_000n, expiresAt: inMs(DAY_MS) })
  const { data } = await buyWith(shop, { voucher_code: code, payment_method: 'voucher' })
  moveClock(2 * DAY_MS)
  const { token } = await buildStaff(shop.store, { role: 'accounting' })

  await request(`PATCH /admin/orders/${data.order.id}`, { token, body: { status: 'refunded' } })

  const { remainingMinor } = await readVoucher(shop.store, id)
  assert.equal(remainingMinor, BigInt(Math.round(data.order.total * 100)))
})

test('a refund does not shorten the life of a voucher', async () => {
  const shop = await buildShop()
  const { token } = await buildStaff(shop.store, { role: 'accounting' })
  const expiresAt = inMs(90 * DAY_MS)
  const { id, code } = await buildVoucher(shop.store, { expiresAt })
  const { data } = await buyWith(shop, { voucher_code: code, payment_method: 'voucher' })

  await request(`PATCH /admin/orders/${data.order.id}`, { token, body: { status: 'refunded' } })

  assert.deepEqual((await readVoucher(shop.store, id)).expiresAt, expiresAt)
})

test('an order paid by transfer and voucher refunds the transfer first, then the voucher', async () => {
  const shop = await buildShop()
  const { token } = await buildStaff(shop.store, { role: 'accounting' })
  const { id, code } = await buildVoucher(shop.store, { amountMinor: 500n })
  const { data } = await buyWith(shop, { voucher_code: code, payment_method: 'bank_transfer' })
  await request(`POST /admin/orders/${data.order.id}/mark-paid`, { token, body: {} })

  const part = await refund(token, data.order.id, { amount: 10 })
  const rest = await refund(token, data.order.id, { amount: 5 })

  assert.equal(part.data.voucher_amount, 0)
  assert.equal(rest.data.voucher_amount, 5)
  assert.equal((await readVoucher(shop.store, id)).remainingMinor, 500n)
})

test('a refund that the buyer’s bank returns keeps the part on the voucher', async () => {
  const { store, id, token, paid, order, voucher } = await buyByBoth()
  await paid()
  await refund(token, id, { amount: 12 })
  const [made] = await readRefunds(store, id)

  const bounced = { status: 'failed', reference: null, failureReason: 'lost_or_stolen_card' } as const
  await inStore(store.id, (tx) => settleRefund(tx, made?.id ?? '', bounced))

  assert.equal((await order()).amountRefundedMinor, 200n)
  assert.equal((await voucher()).remainingMinor, 200n)
  // The gateway knows nothing of it here, and refuses: then the voucher gets nothing either.
  const rest = await refund(token, id, { amount: 13 })
  assert.partialDeepStrictEqual(rest.data, { status: 'failed', voucher_amount: 3 })
  assert.equal((await voucher()).remainingMinor, 200n)
})

testBooks()
