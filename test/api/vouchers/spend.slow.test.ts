import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { eventsOf } from '#test/support/books/read-refunds.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'
import { buyByBoth, buyWith, paymentsOf, voucherEventsOf } from '#test/support/builders/spend-vouchers.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildVoucher, ledgerOf, readVoucher } from '#test/support/builders/vouchers.ts'
import { request } from '#test/support/processes/app.ts'

test('a voucher pays its balance and the card the rest; both are captured when the card is charged', async () => {
  const { store, id, paid, order, voucher, ledger, voucherId } = await buyByBoth()

  const before = await order()
  const reserved = await voucher()
  await paid()

  assert.partialDeepStrictEqual(before, { totalMinor: 1_500n, voucherMinor: 500n, amountCapturedMinor: 0n })
  assert.equal(reserved.reservedMinor, 500n)
  assert.equal(reserved.remainingMinor, 0n)
  assert.deepEqual(await paymentsOf(store, id), [
    { provider: 'stripe', status: 'captured', amountMinor: 1_000n },
  ])
  const after = await order()
  const { status, paymentStatus, amountCapturedMinor } = after
  assert.deepEqual(
    { status, paymentStatus, amountCapturedMinor },
    { status: 'processing', paymentStatus: 'paid', amountCapturedMinor: 1_500n },
  )
  assert.equal((await voucher()).spentMinor, 500n)
  assert.equal((await voucher()).reservedMinor, 0n)
  assert.deepEqual(await ledger(), ['issue 500', 'reserve 500', 'capture 500'])
  const events = await voucherEventsOf(store, voucherId)
  assert.deepEqual(
    events.map(({ type, data }) => ({
      type,
      redemption: data.redemption,
      amount_remaining: data.amount_remaining,
    })),
    [{ type: 'voucher.redeemed', redemption: { order_id: id, amount: 5 }, amount_remaining: 0 }],
  )
})

test('a voucher that covers the whole order pays it immediately, with any payment method', async () => {
  const shop = await buildShop()
  const { id, code } = await buildVoucher(shop.store)

  for (const payment_method of ['voucher', 'card', 'bank_transfer']) {
    const { status, data } = await buyWith(shop, { voucher_code: code.toLowerCase(), payment_method })

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
  await buyWith(shop, { voucher_code: 'EMPTY' })

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

    const { data } = await buyWith(shop, { voucher_code: code })

    const scale = currency === 'JPY' ? 1 : 1_000
    assert.equal(data.order.voucher_total, Number(amountMinor) / scale)
    const [payment] = await paymentsOf(shop.store, data.order.id)
    assert.equal(Number(payment?.amountMinor) / scale, due)
  }
})

test('look-ups of voucher codes and checkouts with one are rate limited together, and other checkouts are not', async () => {
  const shop = await buildShop()
  const { code } = await buildVoucher(shop.store)
  process.env.LIMIT_VOUCHERS = '3'
  resetConfig()
  const guess = (voucher_code: string) => buyWith(shop, { voucher_code, payment_method: 'bank_transfer' })
  const look = (looked: string) => request(`GET /vouchers/${looked}`, { store: shop.store })

  const answers = [
    await look('FIRST-GUESS'),
    await guess('SECOND-GUESS'),
    await look('THIRD-GUESS'),
    await guess(code),
    await look(code),
  ]
  const withoutCode = await buyWith(shop, { payment_method: 'bank_transfer' })

  process.env.LIMIT_VOUCHERS = '0'
  resetConfig()
  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 404, 404, 429, 429],
  )
  assert.equal(withoutCode.status, 201)
})

testBooks()
