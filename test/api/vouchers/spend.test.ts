import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/gateway.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { releaseHeld, renewHold } from '#shared/orders/stock/hold.ts'
import { Payment } from '#shared/payments/payment.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { restoreReservation } from '#shared/vouchers/reserve-voucher.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { request } from '#test/support/app.ts'
import { buildStore } from '#test/support/build.ts'
import { buildStaff } from '#test/support/build-accounts.ts'
import { buildVoucher, ledgerOf, readVoucher } from '#test/support/build-vouchers.ts'
import { moveClock } from '#test/support/clock.ts'
import { gateway } from '#test/support/gateway.ts'
import { drainJobs } from '#test/support/jobs.ts'
import { notify, sendEvent } from '#test/support/notify.ts'
import { buildShop, checkOut, confirm, fillCart, referenceOf } from '#test/support/place-orders.ts'
import { eventsOf, readOrder, readRefunds } from '#test/support/read-refunds.ts'
import { whileRefusingWrites } from '#test/support/refuse-writes.ts'
import { testBooks } from '#test/support/test-books.ts'
import { withWorker } from '#test/support/with-worker.ts'

type Shop = Awaited<ReturnType<typeof buildShop>>
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Checks out one unit, which comes to 15.00 with its shipping. */
async function buy(shop: Shop, body: object) {
  const cart = await fillCart(shop.store, shop.variantId)
  return checkOut(shop, { cart, body })
}

/** An order of 15.00 of which a voucher pays 5.00 and a card the rest, opened at the gateway. */
async function buyByBoth(shop?: Shop, code?: string) {
  const at = shop ?? (await buildShop())
  const voucher = code ? undefined : await buildVoucher(at.store, { amountMinor: 500n })
  const { data } = await buy(at, { voucher_code: code ?? voucher?.code })
  await drainJobs()
  const reference = await referenceOf(at.store, data.payment.id)
  const { id, access_token: accessToken } = data.order
  const { token } = await buildStaff(at.store, { role: 'accounting' })
  return {
    shop: at,
    store: at.store,
    id: id as string,
    voucherId: voucher?.id ?? '',
    token,
    reference,
    paid: async () => notify('payment_intent.succeeded', await confirm(reference)),
    declined: async () =>
      notify('payment_intent.payment_failed', await confirm(reference, 'pm_card_chargeDeclined')),
    endHold: () => inStore(at.store.id, async (tx) => releaseHeld(tx, await lockOrder(tx, id))),
    pay: () =>
      request(`POST /orders/${id}/pay?access_token=${accessToken}`, {
        store: at.store,
        key: randomUUID(),
        headers: { Prefer: 'respond-async' },
        body: {},
      }),
    cancel: () => request(`POST /orders/${id}/cancel?access_token=${accessToken}`, { store: at.store }),
    order: () => readOrder(at.store, id),
    voucher: () => readVoucher(at.store, voucher?.id ?? ''),
    ledger: () => ledgerOf(at.store, voucher?.id ?? ''),
  }
}

const tellsOf = (store: { id: string }, voucherId: string) =>
  eventsOf(store, voucherId, 'voucher.redeemed', 'voucher.released')

const paymentsOf = (store: { id: string }, orderId: string) =>
  inStore(store.id, async (tx) => {
    const payments = await Payment.in(tx).where('order_id', orderId).orderBy('id')
    return payments.map(({ provider, status, amountMinor }) => [provider, status, amountMinor])
  })

test('a voucher pays its balance and the card the rest; both are captured when the card is charged', async () => {
  const { store, id, paid, order, voucher, ledger, voucherId } = await buyByBoth()

  const before = await order()
  const reserved = await voucher()
  await paid()

  assert.partialDeepStrictEqual(before, { totalMinor: 1_500n, voucherMinor: 500n, amountCapturedMinor: 0n })
  assert.equal(reserved.reservedMinor, 500n)
  assert.equal(reserved.remainingMinor, 0n)
  assert.deepEqual(await paymentsOf(store, id), [['stripe', 'captured', 1_000n]])
  const after = await order()
  const { status, paymentStatus, amountCapturedMinor } = after
  assert.deepEqual(
    { status, paymentStatus, amountCapturedMinor },
    { status: 'processing', paymentStatus: 'paid', amountCapturedMinor: 1_500n },
  )
  assert.equal((await voucher()).spentMinor, 500n)
  assert.equal((await voucher()).reservedMinor, 0n)
  assert.deepEqual(await ledger(), ['issue 500', 'reserve 500', 'capture 500'])
  const events = await tellsOf(store, voucherId)
  assert.deepEqual(events.map(({ type, data }) => ({ type, redemption: data.redemption, amount_remaining: data.amount_remaining })), [{ type: 'voucher.redeemed', redemption: { order_id: id, amount: 5 }, amount_remaining: 0 }])
})

test('a voucher that covers the whole order pays it at once, with any payment method', async () => {
  const shop = await buildShop()
  const { id, code } = await buildVoucher(shop.store)

  for (const payment_method of ['voucher', 'card', 'bank_transfer']) {
    const { status, data } = await buy(shop, { voucher_code: code.toLowerCase(), payment_method })

    assert.equal(status, 201)
    assert.equal(data.payment, null)
    const { order } = data
    assert.partialDeepStrictEqual(order, {
      status: 'processing',
      payment_status: 'paid',
      payment_method: 'voucher',
      total: 15,
    })
    assert.partialDeepStrictEqual(order, { voucher_total: 15, amount_captured: 15 })
    assert.ok(order.paid_at)
    const events = await eventsOf(shop.store, order.id, 'order.created', 'order.paid')
    assert.deepEqual(
      events.map(({ type }) => type),
      ['order.created', 'order.paid'],
    )
    assert.deepEqual(await paymentsOf(shop.store, order.id), [])
  }
  assert.equal((await readVoucher(shop.store, id)).remainingMinor, 500n)
})

test('`payment_method: voucher` without enough balance returns 422 and keeps the cart', async () => {
  const shop = await buildShop()
  const { id, code } = await buildVoucher(shop.store, { amountMinor: 1_499n })
  const cart = await fillCart(shop.store, shop.variantId)

  const refused = await checkOut(shop, { cart, body: { payment_method: 'voucher', voucher_code: code } })
  const nameless = await checkOut(shop, { cart, body: { payment_method: 'voucher' } })

  assert.partialDeepStrictEqual(refused, { status: 422, error_code: 'voucher.insufficient_balance' })
  assert.match(refused.error ?? '', /14\.99 of 15 EUR/)
  assert.deepEqual(nameless.detail?.[0].loc, ['body', 'voucher_code'])
  assert.deepEqual(await ledgerOf(shop.store, id), ['issue 1499'])
  assert.equal((await request('GET /cart', { store: shop.store, cart })).data.items.length, 1)
})

test('a voucher that cannot be spent returns its error code', async () => {
  const shop = await buildShop()
  const { store } = shop
  const other = await buildStore()
  await buildVoucher(store, { code: 'INACTIVE', isActive: false })
  await buildVoucher(store, { code: 'EXPIRED', expiresAt: new Date(Date.now() - 1) })
  await buildVoucher(store, { code: 'EMPTY', amountMinor: 1_500n })
  await buildVoucher(store, { code: 'FOREIGN', currency: 'USD' })
  await buildVoucher(other, { code: 'ELSEWHERE' })
  const cart = await fillCart(store, shop.variantId)
  const code = async (voucher_code: string) => {
    const { status, error_code } = await checkOut(shop, { cart, body: { voucher_code } })
    return [status, error_code]
  }
  await buy(shop, { voucher_code: 'EMPTY' })

  assert.deepEqual(await code('INACTIVE'), [422, 'voucher.inactive'])
  assert.deepEqual(await code('EXPIRED'), [422, 'voucher.expired'])
  assert.deepEqual(await code('EMPTY'), [422, 'voucher.empty'])
  assert.deepEqual(await code('FOREIGN'), [422, 'voucher.currency_mismatch'])
  assert.deepEqual(await code('ELSEWHERE'), [404, 'voucher.not_found'])
  assert.deepEqual(await code('- -'), [404, 'voucher.not_found'])
})

test('amounts are exact in currencies with zero and three decimals; a card pays in steps', async () => {
  for (const [currency, amountMinor, due] of [
    ['JPY', 333n, 1_167],
    ['KWD', 333n, 1.17],
  ] as const) {
    const shop = await buildShop(10, { currency })
    const { code } = await buildVoucher(shop.store, { amountMinor, currency })

    const { data } = await buy(shop, { voucher_code: code })

    const scale = currency === 'JPY' ? 1 : 1_000
    assert.equal(data.order.voucher_total, Number(amountMinor) / scale)
    const [[, , charged] = []] = await paymentsOf(shop.store, data.order.id)
    assert.equal(Number(charged) / scale, due)
  }
})

test('a declined payment keeps the voucher until the end of the hold; a new payment reserves it again', async () => {
  const { store, declined, pay, order, voucher, ledger, voucherId } = await buyByBoth()

  await declined()
  await declined()
  const kept = await voucher()
  moveClock(36 * MINUTE_MS)
  await drainJobs()
  const released = await voucher()
  const { status } = await pay()

  assert.equal(kept.reservedMinor, 500n)
  assert.equal(released.remainingMinor, 500n)
  assert.equal(status, 200)
  assert.equal((await order()).status, 'pending')
  assert.equal((await voucher()).reservedMinor, 500n)
  assert.deepEqual(await ledger(), ['issue 500', 'reserve 500', 'release 500', 'reserve 500'])
  const [released1, ...more] = await tellsOf(store, voucherId)
  assert.equal(released1?.type, 'voucher.released')
  assert.equal(released1?.data.amount_remaining, 5)
  assert.deepEqual(more, [])
})

test('an order whose voucher is no longer usable cannot be paid again and returns the reason', async () => {
  const { store, shop, declined, endHold, pay, order, voucher, voucherId } = await buyByBoth()
  await declined()
  await endHold()
  const set = (changes: object) =>
    inStore(store.id, (tx) => Voucher.in(tx).findById(voucherId).patch(changes))

  await set({ isActive: false })
  assert.equal((await pay()).error_code, 'voucher.inactive')
  await set({ isActive: true, expiresAt: new Date(Date.now() - 1) })
  assert.equal((await pay()).error_code, 'voucher.expired')
  await set({ expiresAt: null })
  await buy(shop, { voucher_code: (await voucher()).code })
  const empty = await pay()

  assert.partialDeepStrictEqual(empty, { status: 422, error_code: 'voucher.empty' })
  assert.equal((await order()).status, 'failed')
  await voucher()
})

test('the end of the hold releases the voucher with the stock; a later payment reserves it again', async () => {
  const { paid, order, voucher, ledger } = await buyByBoth()
  moveClock(60 * MINUTE_MS)
  await drainJobs()
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
  await buy(shop, { voucher_code: (await voucher()).code })

  await paid()

  const { status, amountCapturedMinor, amountRefundedMinor } = await order()
  assert.deepEqual(
    { status, amountCapturedMinor, amountRefundedMinor },
    { status: 'canceled', amountCapturedMinor: 0n, amountRefundedMinor: 0n },
  )
  const refunds = await readRefunds(store, id)
  assert.deepEqual(refunds.map((refund) => ({ status: refund.status, gatewayAmountMinor: refund.gatewayAmountMinor, voucherAmountMinor: refund.voucherAmountMinor })), [{ status: 'succeeded', gatewayAmountMinor: 1_000n, voucherAmountMinor: 0n }])
  assert.equal((await voucher()).reservedMinor, 500n)
})

test('a canceled or expired order releases its voucher', async () => {
  const [canceled, expired] = [await buyByBoth(), await buyByBoth()]

  await canceled.cancel()
  moveClock(DAY_MS + MINUTE_MS)
  await drainJobs()

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
    const { data } = await buy(shop, { voucher_code: code, payment_method })
    moveClock(days * DAY_MS)
    await drainJobs()
    const waiting = await readVoucher(shop.store, id)
    const { token } = await buildStaff(shop.store, { role: 'accounting' })

    const marked = await request(`POST /admin/orders/${data.order.id}/mark-paid`, { token, body: {} })

    assert.partialDeepStrictEqual(waiting, { reservedMinor: 500n, spentMinor: 0n })
    assert.partialDeepStrictEqual(marked.data, { payment_status: 'paid', amount_captured: 15 })
    assert.deepEqual(await paymentsOf(shop.store, data.order.id), [['offline', 'captured', 1_000n]])
    assert.equal((await readVoucher(shop.store, id)).spentMinor, 500n)
  })

test('canceling an unpaid order releases its voucher; marking a failed order as paid needs its voucher', async () => {
  const shop = await buildShop()
  const { token } = await buildStaff(shop.store, { role: 'accounting' })
  const voucher = await buildVoucher(shop.store, { amountMinor: 500n })
  const spend = { voucher_code: voucher.code, payment_method: 'cash_on_delivery' }
  const { data } = await buy(shop, spend)

  await request(`PATCH /admin/orders/${data.order.id}`, { token, body: { status: 'canceled' } })
  const released = await readVoucher(shop.store, voucher.id)
  const failing = await buyByBoth(shop, voucher.code)
  await failing.declined()
  await failing.endHold()
  await buy(shop, spend)
  const marked = await request(`POST /admin/orders/${failing.id}/mark-paid`, { token, body: {} })

  assert.equal(released.remainingMinor, 500n)
  assert.partialDeepStrictEqual(marked, { status: 422, error_code: 'voucher.empty' })
  assert.equal((await failing.order()).amountCapturedMinor, 0n)
})

const refund = (token: string, orderId: string, body: object) =>
  withWorker(request(`POST /admin/orders/${orderId}/refunds`, { token, key: randomUUID(), body }))

test('a refund outside the gateway pays what was paid by card, and the rest to the voucher', async () => {
  const { id, token, paid, voucher } = await buyByBoth()
  await paid()

  const { data } = await refund(token, id, { amount: 15, outside_gateway: true, reason: 'By transfer' })

  assert.partialDeepStrictEqual(data, { status: 'succeeded', amount: 15, voucher_amount: 5 })
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

  const amounts = [first, second, third].map(({ data }) => [data.status, data.amount, data.voucher_amount])
  assert.deepEqual(amounts, [
    ['succeeded', 8, 0],
    ['succeeded', 3, 1],
    ['succeeded', 4, 4],
  ])
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

test('an order paid only by voucher is refunded to the voucher at once, and only once', async () => {
  const shop = await buildShop()
  const { token } = await buildStaff(shop.store, { role: 'accounting' })
  const { id, code } = await buildVoucher(shop.store)
  const { data } = await buy(shop, { voucher_code: code, payment_method: 'voucher' })
  const line = `PATCH /admin/orders/${data.order.id}`

  const refunded = await request(line, { token, body: { status: 'refunded' } })
  const again = await request(line, { token, body: { status: 'refunded' } })

  assert.equal(refunded.status, 200)
  assert.equal(refunded.data.status, 'refunded')
  assert.equal(again.status, 200)
  assert.equal((await readVoucher(shop.store, id)).remainingMinor, 5_000n)
})

test('an order paid by transfer and voucher refunds the transfer first, then the voucher', async () => {
  const shop = await buildShop()
  const { token } = await buildStaff(shop.store, { role: 'accounting' })
  const { id, code } = await buildVoucher(shop.store, { amountMinor: 500n })
  const { data } = await buy(shop, { voucher_code: code, payment_method: 'bank_transfer' })
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

test('of 50 concurrent checkouts, one voucher pays as many as it covers', async () => {
  const shop = await buildShop(100)
  const { id, code } = await buildVoucher(shop.store, { amountMinor: 10_000n })
  const carts = await Promise.all(Array.from({ length: 50 }, () => fillCart(shop.store, shop.variantId)))

  const answers = await Promise.all(
    carts.map((cart) => checkOut(shop, { cart, body: { voucher_code: code, payment_method: 'voucher' } })),
  )

  const placed = answers.filter(({ status }) => status === 201)
  const refused = new Set(answers.filter(({ status }) => status !== 201).map(({ error_code }) => error_code))
  assert.equal(placed.length, 6)
  assert.deepEqual(refused, new Set(['voucher.insufficient_balance']))
  const { spentMinor, remainingMinor } = await readVoucher(shop.store, id)
  assert.deepEqual({ spentMinor, remainingMinor }, { spentMinor: 9_000n, remainingMinor: 1_000n })
})

test('concurrent checkouts and amount changes never overdraw a voucher', async () => {
  const shop = await buildShop(100)
  const { token } = await buildStaff(shop.store, { role: 'accounting' })
  const { id, code } = await buildVoucher(shop.store, { amountMinor: 10_000n })
  const carts = await Promise.all(Array.from({ length: 25 }, () => fillCart(shop.store, shop.variantId)))

  const [checkouts, changes] = await Promise.all([
    Promise.all(
      carts.map((cart) => checkOut(shop, { cart, body: { voucher_code: code, payment_method: 'voucher' } })),
    ),
    Promise.all(
      Array.from({ length: 25 }, (_, n) =>
        request(`PATCH /admin/vouchers/${id}`, { token, body: { amount: 20 + n * 5 } }),
      ),
    ),
  ])

  for (const { status } of changes) assert.ok([200, 409].includes(status))
  const placed = checkouts.filter(({ status }) => status === 201).length
  assert.equal((await readVoucher(shop.store, id)).spentMinor, BigInt(placed) * 1_500n)
})

test('of a concurrent cancellation and capture, exactly one gets the voucher', async () => {
  const races: Awaited<ReturnType<typeof buyByBoth>>[] = []
  for (let n = 0; n < 5; n++) races.push(await buyByBoth())

  await Promise.all(races.flatMap(({ cancel, paid }) => [cancel(), paid()]))
  await drainJobs()

  for (const { order, voucher, ledger } of races) {
    const { status, amountCapturedMinor, amountRefundedMinor } = await order()
    const { spentMinor, reservedMinor } = await voucher()
    const ends = (await ledger()).slice(2)
    if (status === 'processing') {
      assert.deepEqual(
        { amountCapturedMinor, amountRefundedMinor, spentMinor },
        { amountCapturedMinor: 1_500n, amountRefundedMinor: 0n, spentMinor: 500n },
      )
      assert.deepEqual(ends, ['capture 500'])
    } else {
      assert.deepEqual(
        { amountCapturedMinor, amountRefundedMinor, spentMinor },
        { amountCapturedMinor: 0n, amountRefundedMinor: 0n, spentMinor: 0n },
      )
      assert.deepEqual(ends, ['release 500'])
    }
    assert.equal(reservedMinor, 0n)
  }
})

test('repeated concurrent captures and failures make one ledger entry', async () => {
  const [paid, failed] = [await buyByBoth(), await buyByBoth()]

  const [good, bad] = [
    await confirm(paid.reference),
    await confirm(failed.reference, 'pm_card_chargeDeclined'),
  ]

  const telling = Array.from({ length: 10 }, () => [
    sendEvent('payment_intent.succeeded', good),
    sendEvent('payment_intent.payment_failed', bad),
  ])
  await Promise.all(telling.flat())
  await Promise.all([drainJobs(), drainJobs()])
  moveClock(36 * MINUTE_MS)
  await Promise.all([drainJobs(), drainJobs()])

  assert.deepEqual(await paid.ledger(), ['issue 500', 'reserve 500', 'capture 500'])
  assert.deepEqual(await failed.ledger(), ['issue 500', 'reserve 500', 'release 500'])
})

test('50 concurrent attempts restore the reservation of an order once', async () => {
  const { store, declined, endHold, order, ledger } = await buyByBoth()
  await declined()
  await endHold()
  const { id, voucherMinor } = await order()

  // Under the order's lock, as every caller has it.
  const again = () =>
    inStore(store.id, async (tx) => {
      await tx.knex('orders').where('id', id).forNoKeyUpdate()
      await restoreReservation(tx, { id, voucherMinor })
    })
  await Promise.all(Array.from({ length: 50 }, again))

  assert.deepEqual(await ledger(), ['issue 500', 'reserve 500', 'release 500', 'reserve 500'])
})

test('a worker that dies during a capture or release changes nothing, and a retry completes it', async () => {
  const [paid, failed] = [await buyByBoth(), await buyByBoth()]
  await failed.declined()
  await inStore(failed.store.id, (tx) => renewHold(tx, failed.id, now()))
  await sendEvent('payment_intent.succeeded', await confirm(paid.reference))

  await whileRefusingWrites('voucher_entries', drainJobs)
  const [halfPaid, halfFailed] = [await paid.voucher(), await failed.voucher()]
  moveClock(10 * MINUTE_MS)
  await drainJobs()

  assert.equal(halfPaid.reservedMinor, 500n)
  assert.equal(halfFailed.reservedMinor, 500n)
  assert.equal((await paid.order()).status, 'processing')
  assert.equal((await failed.order()).status, 'failed')
  assert.deepEqual(await paid.ledger(), ['issue 500', 'reserve 500', 'capture 500'])
  assert.deepEqual(await failed.ledger(), ['issue 500', 'reserve 500', 'release 500'])
})

test('a cancellation does not release a captured voucher', async () => {
  const { paid, cancel, ledger } = await buyByBoth()
  await paid()

  const { status, error_code } = await cancel()

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'order.refund_required' })
  assert.deepEqual(await ledger(), ['issue 500', 'reserve 500', 'capture 500'])
})

testBooks()
