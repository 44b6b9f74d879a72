import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, MINUTE_MS } from '#shared/platform/time/clock.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { readRefunds } from '#test/support/books/read-refunds.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildShop } from '#test/support/builders/place-orders.ts'
import { buyByBoth, buyWith, paymentsOf, voucherEventsOf } from '#test/support/builders/spend-vouchers.ts'
import { buildVoucher, readVoucher } from '#test/support/builders/vouchers.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { drainDueOrders, drainJobs } from '#test/support/processes/jobs.ts'

test('a declined payment keeps the voucher until the end of the hold; a new payment reserves it again', async () => {
  const { store, declined, pay, order, voucher, ledger, voucherId } = await buyByBoth()

  await declined()
  await declined()
  const kept = await voucher()
  moveClock(36 * MINUTE_MS)
  await drainDueOrders()
  const released = await voucher()
  const { status } = await pay()

  assert.equal(kept.reservedMinor, 500n)
  assert.equal(released.remainingMinor, 500n)
  assert.equal(status, 200)
  assert.equal((await order()).status, 'pending')
  assert.equal((await voucher()).reservedMinor, 500n)
  assert.deepEqual(await ledger(), ['issue 500', 'reserve 500', 'release 500', 'reserve 500'])
  const [released1, ...more] = await voucherEventsOf(store, voucherId)
  assert.equal(released1?.type, 'voucher.released')
  assert.equal(released1?.data.amount_remaining, 5)
  assert.deepEqual(more, [])
})

type OrderByBoth = Awaited<ReturnType<typeof buyByBoth>>

const WAYS_TO_PAY = {
  'paid again': ({ pay }: OrderByBoth) => pay(),
  'marked as paid': ({ id, token }: OrderByBoth) =>
    request(`POST /admin/orders/${id}/mark-paid`, { token, body: {} }),
}

for (const [way, pay] of Object.entries(WAYS_TO_PAY))
  test(`an order whose voucher is no longer usable cannot be ${way} and returns the reason`, async () => {
    const bought = await buyByBoth()
    const { store, shop, token, declined, endHold, order, voucher, voucherId } = bought
    await declined()
    await endHold()
    const set = (changes: object) =>
      inStore(store.id, (tx) => Voucher.in(tx).findById(voucherId).patch(changes))
    const setAmount = (amount: number) =>
      request(`PATCH /admin/vouchers/${voucherId}`, { token, body: { amount } })

    await set({ isActive: false })
    assert.equal((await pay(bought)).error_code, 'voucher.inactive')
    await set({ isActive: true, expiresAt: new Date(Date.now() - 1) })
    assert.equal((await pay(bought)).error_code, 'voucher.expired')
    await set({ expiresAt: null })
    await setAmount(4.99)
    assert.equal((await pay(bought)).error_code, 'voucher.insufficient_balance')
    await setAmount(5)
    await buyWith(shop, { voucher_code: (await voucher()).code })
    const empty = await pay(bought)

    assert.partialDeepStrictEqual(empty, { status: 422, error_code: 'voucher.empty' })
    assert.partialDeepStrictEqual(await order(), { status: 'failed', amountCapturedMinor: 0n })
    await voucher()
  })

test('the end of the hold releases the voucher with the stock; a later payment reserves it again', async () => {
  const { paid, order, voucher, ledger } = await buyByBoth()
  moveClock(60 * MINUTE_MS)
  await drainDueOrders()
  const released = await voucher()

  await paid()

  assert.equal(released.remainingMinor, 500n)
  assert.equal((await order()).status, 'processing')
  assert.equal((await order()).amountCapturedMinor, 1_500n)
  assert.deepEqual(await ledger(), ['issue 500', 'reserve 500', 'release 500', 'reserve 500', 'capture 500'])
})

test('a payment after the voucher was spent elsewhere is refunded automatically', async () => {
  const { store, shop, id, paid, declined, endHold, order, voucher } = await buyByBoth()
  await declined()
  await endHold()
  await buyWith(shop, { voucher_code: (await voucher()).code })

  await paid()

  const { status, amountCapturedMinor, amountRefundedMinor } = await order()
  assert.deepEqual(
    { status, amountCapturedMinor, amountRefundedMinor },
    { status: 'canceled', amountCapturedMinor: 0n, amountRefundedMinor: 0n },
  )
  const refunds = await readRefunds(store, id)
  assert.deepEqual(
    refunds.map((refund) => ({
      status: refund.status,
      gatewayAmountMinor: refund.gatewayAmountMinor,
      voucherAmountMinor: refund.voucherAmountMinor,
    })),
    [{ status: 'succeeded', gatewayAmountMinor: 1_000n, voucherAmountMinor: 0n }],
  )
  assert.equal((await voucher()).reservedMinor, 500n)
})

test('the history of an order says that its voucher expired before the payment', async () => {
  const { store, id, paid, declined, endHold } = await buyByBoth()
  await declined()
  await endHold()
  await inStore(store.id, ({ knex }) => knex('vouchers').update({ expires_at: new Date(0) }))

  await paid()

  const notes: (string | null)[] = await inStore(store.id, ({ knex }) =>
    knex('order_steps').where('order_id', id).pluck('note'),
  )
  assert.ok(
    notes.some((note) => note?.includes('the voucher expired')),
    notes.join('; '),
  )
})

test('a canceled or expired order releases its voucher', async () => {
  const [canceled, expired] = [await buyByBoth(), await buyByBoth()]

  await canceled.cancel()
  moveClock(DAY_MS + MINUTE_MS)
  await drainDueOrders()

  for (const { voucher, ledger } of [canceled, expired]) {
    assert.equal((await voucher()).remainingMinor, 500n)
    assert.deepEqual(await ledger(), ['issue 500', 'reserve 500', 'release 500'])
  }
  assert.equal((await canceled.order()).status, 'canceled')
  assert.equal((await expired.order()).status, 'failed')
})

for (const [payment_method, days] of [
  ['bank_transfer', 6],
  ['cash_on_delivery', 30],
] as const)
  test(`an order by ${payment_method} keeps its voucher reserved until it is marked as paid`, async () => {
    const shop = await buildShop()
    const { id, code } = await buildVoucher(shop.store, { amountMinor: 500n })
    const { data } = await buyWith(shop, { voucher_code: code, payment_method })
    moveClock(days * DAY_MS)
    await drainJobs()
    const waiting = await readVoucher(shop.store, id)
    const { token } = await buildStaff(shop.store, { role: 'accounting' })

    const marked = await request(`POST /admin/orders/${data.order.id}/mark-paid`, { token, body: {} })

    assert.partialDeepStrictEqual(waiting, { reservedMinor: 500n, spentMinor: 0n })
    assert.partialDeepStrictEqual(marked.data, { payment_status: 'paid', amount_captured: 15 })
    assert.deepEqual(await paymentsOf(shop.store, data.order.id), [
      { provider: 'offline', status: 'captured', amountMinor: 1_000n },
    ])
    assert.equal((await readVoucher(shop.store, id)).spentMinor, 500n)
  })

test('canceling an unpaid order releases its voucher; marking a failed order as paid needs its voucher', async () => {
  const shop = await buildShop()
  const { token } = await buildStaff(shop.store, { role: 'accounting' })
  const voucher = await buildVoucher(shop.store, { amountMinor: 500n })
  const spend = { voucher_code: voucher.code, payment_method: 'cash_on_delivery' }
  const { data } = await buyWith(shop, spend)

  await request(`PATCH /admin/orders/${data.order.id}`, { token, body: { status: 'canceled' } })
  const released = await readVoucher(shop.store, voucher.id)
  const failing = await buyByBoth(shop, voucher.code)
  await failing.declined()
  await failing.endHold()
  await buyWith(shop, spend)
  const marked = await request(`POST /admin/orders/${failing.id}/mark-paid`, { token, body: {} })

  assert.equal(released.remainingMinor, 500n)
  assert.partialDeepStrictEqual(marked, { status: 422, error_code: 'voucher.empty' })
  assert.equal((await failing.order()).amountCapturedMinor, 0n)
})

testBooks()
