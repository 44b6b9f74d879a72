import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/gateway.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { request } from '#test/support/app.ts'
import { buildCustomer, buildStaff } from '#test/support/build-accounts.ts'
import { buildShippingMethod } from '#test/support/build-methods.ts'
import { buildTaxClass, buildTaxRate } from '#test/support/build-taxes.ts'
import { buildTheme, buildVoucher, readVoucher } from '#test/support/build-vouchers.ts'
import { drainJobs } from '#test/support/jobs.ts'
import { mailbox } from '#test/support/mailbox.ts'
import { notify } from '#test/support/notify.ts'
import { buildShop, checkOut, confirm, fillCart, referenceOf } from '#test/support/place-orders.ts'
import { readRefunds } from '#test/support/read-refunds.ts'
import { requestedBy } from '#test/support/requested-by.ts'
import { assertBooks, testBooks } from '#test/support/test-books.ts'
import { withWorker } from '#test/support/with-worker.ts'

type Shop = Awaited<ReturnType<typeof buildShop>>

const gift = (given: object = {}) => ({
  amount: 25,
  to_name: 'Grace',
  to_email: `grace-${randomUUID()}@example.test`,
  from_name: 'Ada',
  from_email: 'ada@example.test',
  message: 'For <you>',
  ...given,
})

const put = ({ store }: Shop, body: object, cart?: string) =>
  request('POST /cart/items', { store, ...(cart ? { cart } : {}), body })

const boughtWith = ({ store }: Shop, orderId: string) =>
  inStore(store.id, (tx) => Voucher.in(tx).where('order_id', orderId).orderBy('id'))

/** An order of a gift voucher alone, to be paid by card. */
async function order(shop: Shop, voucher = gift(), body: object = {}) {
  const { data: cart } = await put(shop, { voucher })
  const { data } = await checkOut(shop, {
    cart: cart.token,
    body: { shipping_method_id: undefined, ...body },
  })
  await drainJobs()
  const paid = async () =>
    notify('payment_intent.succeeded', await confirm(await referenceOf(shop.store, data.payment.id)))
  const bought = async () => {
    const [only] = await boughtWith(shop, data.order.id)
    assert.ok(only)
    return only
  }
  return { ...data, paid, bought, voucher }
}

test('POST /cart/items adds a gift voucher as a separate line, without variant and quantity', async () => {
  const shop = await buildShop()
  const theme = await buildTheme(shop.store)
  const cart = await fillCart(shop.store, shop.variantId, 2)

  const { status, data } = await put(
    shop,
    { voucher: gift({ voucher_theme_id: theme.id, to_email: 'g@example.test' }) },
    cart,
  )
  const twice = await put(shop, { voucher: gift(), quantity: 1 }, cart)

  assert.equal(status, 201)
  const [goods, line] = data.items
  assert.equal(goods.voucher, null)
  assert.deepEqual(line, {
    id: line.id,
    product_id: null,
    variant_id: null,
    name: 'Gift voucher',
    sku: 'gift-voucher',
    quantity: 1,
    unit_price: 25,
    line_total: 25,
    discount_total: 0,
    tax_total: 0,
    net_total: 25,
    total: 25,
    image_url: theme.image,
    available: true,
    variant: null,
    recurring: null,
    voucher: {
      amount: 25,
      from_name: 'Ada',
      from_email: 'ada@example.test',
      to_name: 'Grace',
      to_email: 'g@example.test',
      voucher_theme_id: theme.id,
      message: 'For <you>',
    },
  })
  assert.partialDeepStrictEqual(data, { subtotal: 45, total: 45 })
  assert.equal(twice.data.items.length, 3)
  const read = await request('GET /cart', { store: shop.store, cart })
  assert.deepEqual(
    { itemsCount: read.data.items.length, total: read.data.total },
    { itemsCount: 3, total: 70 },
  )
})

test('POST /cart/items rejects vouchers with invalid amounts, quantities above 1 and unknown themes', async () => {
  const shop = await buildShop()
  const refused = async (body: object) => {
    const { status, error_code } = await put(shop, body)
    return [status, error_code]
  }
  const invalid = [422, 'validation.failed']

  for (const amount of [0.99, 10_000.01])
    assert.deepEqual(await refused({ voucher: gift({ amount }) }), [422, 'voucher.amount_out_of_range'])
  for (const amount of [0, -5, 10.001, '10', null])
    assert.deepEqual(await refused({ voucher: gift({ amount }) }), invalid, String(amount))
  assert.deepEqual(await refused({ voucher: gift(), quantity: 2 }), invalid)
  assert.deepEqual(await refused({ voucher: gift(), variant_id: shop.variantId }), invalid)
  assert.deepEqual(await refused({ voucher: gift({ voucher_theme_id: randomUUID() }) }), invalid)
  assert.deepEqual(await refused({ voucher: gift({ to_email: 'nobody' }) }), invalid)
  assert.deepEqual(await refused({ variant_id: shop.variantId }), invalid)
  assert.deepEqual(await refused({}), invalid)
})

test('a cart takes at most 20 gift vouchers', async () => {
  const shop = await buildShop()
  const { data } = await put(shop, { voucher: gift() })
  for (let n = 1; n < 20; n++) await put(shop, { voucher: gift() }, data.token)

  const refused = await put(shop, { voucher: gift() }, data.token)

  assert.partialDeepStrictEqual(refused, { status: 422, error_code: 'cart.too_many_vouchers' })
})

test('a gift voucher is removed like any line, and its quantity stays 1', async () => {
  const shop = await buildShop()
  const { data } = await put(shop, { voucher: gift() })
  await put(shop, { voucher: gift() }, data.token)
  const { store } = shop
  const line = `/cart/items/${data.items[0].id}`
  const call = (method: string, body?: object) =>
    request(`${method} ${line}`, { store, cart: data.token, ...(body ? { body } : {}) })

  const more = await call('PATCH', { quantity: 2 })
  const same = await call('PATCH', { quantity: 1 })
  const gone = await call('DELETE')
  const again = await call('DELETE')
  await request('DELETE /cart', { store, cart: data.token })

  assert.deepEqual(
    { moreStatus: more.status, sameStatus: same.status, itemsCount: same.data.items.length },
    { moreStatus: 422, sameStatus: 200, itemsCount: 2 },
  )
  assert.deepEqual(
    { goneStatus: gone.status, itemsCount: gone.data.items.length, againStatus: again.status },
    { goneStatus: 200, itemsCount: 1, againStatus: 404 },
  )
  assert.deepEqual((await request('GET /cart', { store, cart: data.token })).data.items, [])
})

test('a guest’s gift vouchers are merged into the customer’s cart on sign-in', async () => {
  const shop = await buildShop()
  const { store } = shop
  const { email, password } = await buildCustomer(store)
  const { data: cart } = await put(shop, { voucher: gift() })

  const signedIn = await request('POST /auth/login', { store, cart: cart.token, body: { email, password } })

  const { data } = await request('GET /cart', { store, token: signedIn.data.access_token })
  assert.deepEqual({ itemsCount: data.items.length, total: data.total }, { itemsCount: 1, total: 25 })
})

test('an order of only gift vouchers has no shipping method and no shipping costs', async () => {
  const shop = await buildShop()

  const { order: placed, payment } = await order(shop)
  const { data: cart } = await put(shop, { variant_id: shop.variantId, quantity: 1 })
  const goods = await checkOut(shop, { cart: cart.token, body: { shipping_method_id: undefined } })

  assert.partialDeepStrictEqual(placed, { total: 25, shipping_total: 0, shipping_method: null, tax_total: 0 })
  assert.deepEqual(
    placed.items.map((item: Record<string, unknown>) => ({
      name: item.name,
      product_id: item.product_id,
      variant_id: item.variant_id,
    })),
    [{ name: 'Gift voucher', product_id: null, variant_id: null }],
  )
  assert.ok(payment)
  assert.deepEqual(goods.detail?.[0].loc, ['body', 'shipping_method_id'])
})

test('a bought voucher is activated, announced and mailed once when its order is paid', async () => {
  const shop = await buildShop()
  const { store } = shop
  const { order: placed, paid, bought, voucher } = await order(shop)
  const before = await bought()
  const { token } = await buildStaff(store, { role: 'accounting' })
  const change = (body: object) => request(`PATCH /admin/vouchers/${before.id}`, { token, body })
  const looked = await request(`GET /vouchers/${before.code}`, { store })
  const [forced, moved] = [await change({ is_active: true }), await change({ order_id: null })]

  await paid()
  await paid().catch(() => null)
  await drainJobs()

  assert.partialDeepStrictEqual(before, { isActive: false, amountMinor: 2_500n, orderId: placed.id })
  assert.deepEqual(
    { status: looked.status, error_code: forced.error_code },
    { status: 404, error_code: 'voucher.awaits_payment' },
  )
  assert.equal(moved.error_code, 'voucher.order_fixed')
  const { isActive, remainingMinor, code } = await bought()
  assert.deepEqual({ isActive, remainingMinor }, { isActive: true, remainingMinor: 2_500n })
  const mails = mailbox.mails(voucher.to_email)
  assert.equal(mails.length, 1)
  assert.ok(mails[0]?.text.includes(code))
  const events = await inStore(store.id, (tx) => tx.knex('events').where('type', 'voucher.issued'))
  assert.equal(events.length, 1)
  assert.partialDeepStrictEqual(events[0]?.data, {
    code_last4: code.slice(-4),
    is_active: true,
    order_id: placed.id,
  })
  assert.ok(!JSON.stringify(events.map(({ data }) => data)).includes(code), 'no event holds the whole code')
  await readVoucher(store, before.id)
})

test('marking an order as paid activates its vouchers; canceling it does not', async () => {
  const shop = await buildShop()
  const { token } = await buildStaff(shop.store, { role: 'accounting' })
  const transfer = await order(shop, gift(), { payment_method: 'bank_transfer' })
  const canceled = await order(shop, gift(), { payment_method: 'bank_transfer' })

  await request(`POST /admin/orders/${transfer.order.id}/mark-paid`, { token, body: {} })
  await request(`PATCH /admin/orders/${canceled.order.id}`, { token, body: { status: 'canceled' } })
  await drainJobs()

  assert.equal((await transfer.bought()).isActive, true)
  assert.equal((await canceled.bought()).isActive, false)
  assert.equal(mailbox.mails(transfer.voucher.to_email).length, 1)
  assert.equal(mailbox.mails(canceled.voucher.to_email).length, 0)
})

test('a voucher pays for goods, but not for other vouchers', async () => {
  const shop = await buildShop()
  const { code } = await buildVoucher(shop.store, { amountMinor: 10_000n })
  const cart = await fillCart(shop.store, shop.variantId)
  await put(shop, { voucher: gift() }, cart)

  const all = await checkOut(shop, { cart, body: { voucher_code: code, payment_method: 'voucher' } })
  const { data } = await checkOut(shop, { cart, body: { voucher_code: code } })

  assert.partialDeepStrictEqual(all, { status: 422, error_code: 'voucher.insufficient_balance' })
  assert.partialDeepStrictEqual(data.order, { total: 40, voucher_total: 15 })
})

test('a coupon does not discount a gift voucher', async () => {
  const shop = await buildShop()
  const { token } = await buildStaff(shop.store, { role: 'owner' })
  const body = { code: 'HALF', type: 'percent', value: 50 }
  await request('POST /admin/coupons', { token, body })
  const cart = await fillCart(shop.store, shop.variantId)
  await put(shop, { voucher: gift() }, cart)

  const { data } = await checkOut(shop, { cart, body: { coupon_code: 'HALF' } })

  assert.partialDeepStrictEqual(data.order, { subtotal: 35, discount_total: 5, total: 35 })
})

test('a bought voucher is not taxed; a voucher pays the total after tax', async () => {
  const shop = await buildShop()
  const { store } = shop
  const { id: taxClassId } = await buildTaxClass(store, { isDefault: true })
  await buildTaxRate(store, { percent: 20, taxClassId })
  const { code } = await buildVoucher(store, { amountMinor: 10_000n })
  const cart = await fillCart(store, shop.variantId)
  await put(shop, { voucher: gift() }, cart)

  const { data } = await checkOut(shop, { cart, body: { voucher_code: code } })
  const alone = await order(shop)

  const { subtotal, shipping_total, tax_total, total, voucher_total } = data.order
  assert.deepEqual({ subtotal, shipping_total, tax_total }, { subtotal: 35, shipping_total: 5, tax_total: 3 })
  assert.deepEqual({ total, voucher_total }, { total: 43, voucher_total: 18 })
  assert.partialDeepStrictEqual(alone.order, { tax_total: 0, total: 25 })
})

test('gift vouchers do not count towards free shipping', async () => {
  const shop = await buildShop()
  const { store } = shop
  const shipping = await buildShippingMethod(store, { freeFromMinor: 2_000n })
  const cart = await fillCart(store, shop.variantId)
  await put(shop, { voucher: gift() }, cart)

  const offered = await request('GET /cart/shipping-methods?country=DE', { store, cart })
  const { data } = await checkOut({ store, shipping }, { cart })

  const price = offered.data.find(({ id }: { id: string }) => id === shipping.id).price
  assert.deepEqual(
    { price, shipping_total: data.order.shipping_total, total: data.order.total },
    { price: 5, shipping_total: 5, total: 40 },
  )
})

test('deleting a theme leaves vouchers in carts without a theme', async () => {
  const shop = await buildShop()
  const { token } = await buildStaff(shop.store, { role: 'accounting' })
  const theme = await buildTheme(shop.store)
  const { data: cart } = await put(shop, { voucher: gift({ voucher_theme_id: theme.id }) })

  const deleted = await request(`DELETE /admin/voucher-themes/${theme.id}`, { token })
  const { status, data } = await checkOut(shop, { cart: cart.token })

  assert.equal(deleted.status, 200)
  assert.equal(status, 201)
  const [bought] = await boughtWith(shop, data.order.id)
  assert.equal(bought?.voucherThemeId, null)
})

const refund = (token: string, orderId: string, body: object) =>
  withWorker(request(`POST /admin/orders/${orderId}/refunds`, { token, key: randomUUID(), body }))

/** A paid order of one unit and a gift voucher: 15.00 with shipping, and 25.00. */
async function paidForBoth() {
  const shop = await buildShop()
  const { token } = await buildStaff(shop.store, { role: 'accounting' })
  const cart = await fillCart(shop.store, shop.variantId)
  await put(shop, { voucher: gift() }, cart)
  const { data } = await checkOut(shop, { cart })
  await drainJobs()
  await notify('payment_intent.succeeded', await confirm(await referenceOf(shop.store, data.payment.id)))
  const [voucher] = await boughtWith(shop, data.order.id)
  const id = voucher?.id ?? ''
  const state = async () => {
    const { isActive, remainingMinor } = await readVoucher(shop.store, id)
    return [isActive, remainingMinor]
  }
  const spend = () => {
    const body = { voucher_code: voucher?.code, payment_method: 'voucher' }
    return fillCart(shop.store, shop.variantId).then((more) => checkOut(shop, { cart: more, body }))
  }
  const lineId = data.order.items[1].id as string
  return { shop, store: shop.store, token, orderId: data.order.id as string, lineId, id, state, spend }
}

test('a refund of its line deactivates a bought voucher; a refund of goods does not', async () => {
  const { token, orderId, lineId, state, spend } = await paidForBoth()

  const goods = await refund(token, orderId, { amount: 15 })
  const after = await state()
  const line = await refund(token, orderId, { items: [{ order_item_id: lineId, quantity: 1 }] })

  assert.deepEqual({ status: goods.data.status, after }, { status: 'succeeded', after: [true, 2_500n] })
  assert.partialDeepStrictEqual(line.data, { status: 'succeeded', amount: 25 })
  assert.deepEqual(await state(), [false, 0n])
  assert.equal((await spend()).error_code, 'voucher.inactive')
})

test('a refund by amount withdraws the part above the price of the goods from a bought voucher', async () => {
  const { token, orderId, state } = await paidForBoth()

  await refund(token, orderId, { amount: 20 })
  const first = await state()
  await refund(token, orderId, { amount: 20 })

  assert.deepEqual(first, [true, 2_000n])
  assert.deepEqual(await state(), [false, 0n])
})

test('a refund pays the unspent part of a bought voucher; more needs override and a reason', async () => {
  const { store, token, orderId, lineId, id, state, spend } = await paidForBoth()
  assert.equal((await spend()).status, 201)
  const items = [{ order_item_id: lineId, quantity: 1 }]

  const all = await request(`PATCH /admin/orders/${orderId}`, { token, body: { status: 'refunded' } })
  const line = await refund(token, orderId, { items })
  const again = await refund(token, orderId, { items })
  const unexplained = await refund(token, orderId, { items, override: true })
  const rest = await refund(token, orderId, { amount: 30, override: true, reason: 'Goodwill' })

  assert.partialDeepStrictEqual(all, { status: 422, error_code: 'refund.voucher_spent' })
  assert.match(all.error ?? '', /10 EUR remains\. Refund at most 25 EUR/)
  assert.partialDeepStrictEqual(line, { status: 201, data: { status: 'succeeded', amount: 10 } })
  assert.partialDeepStrictEqual(again, { status: 422, error_code: 'refund.voucher_spent' })
  assert.partialDeepStrictEqual(unexplained, { status: 422, error_code: 'validation.failed' })
  assert.deepEqual(unexplained.detail[0].loc, ['body', 'reason'])
  assert.partialDeepStrictEqual(rest, { status: 201, data: { status: 'succeeded', amount: 30 } })
  const { data } = await request(`GET /admin/orders/${orderId}`, { token })
  assert.equal(data.status, 'refunded')
  assert.deepEqual(await state(), [false, 0n])
  assert.equal((await readVoucher(store, id)).spentMinor, 1_500n)
})

test('a bought voucher cannot be spent while its refund is in progress, and can be again after it failed', async () => {
  const { store, token, orderId, lineId, state, spend } = await paidForBoth()
  const body = { items: [{ order_item_id: lineId, quantity: 1 }] }
  const asked = await request(`POST /admin/orders/${orderId}/refunds`, {
    token,
    key: randomUUID(),
    headers: { Prefer: 'respond-async' },
    body,
  })
  const concurrent = await spend()
  const failure = { status: 'failed', reference: null, failureReason: 'expired_card' } as const

  for (let delivery = 0; delivery < 2; delivery++)
    await inStore(store.id, (tx) => settleRefund(tx, asked.data.id, failure))

  assert.deepEqual(
    { status: asked.status, error_code: concurrent.error_code },
    { status: 202, error_code: 'voucher.inactive' },
  )
  assert.deepEqual(await state(), [true, 2_500n])
  const [only] = await readRefunds(store, orderId)
  assert.equal(only?.status, 'failed')
  assert.equal((await spend()).status, 201)
})

test('a voucher deactivated by staff stays inactive when a partial refund of it fails', async () => {
  const { store, token, orderId, id, state } = await paidForBoth()
  const asked = await request(`POST /admin/orders/${orderId}/refunds`, {
    token,
    key: randomUUID(),
    headers: { Prefer: 'respond-async' },
    body: { amount: 20 },
  })
  const off = await request(`PATCH /admin/vouchers/${id}`, { token, body: { is_active: false } })
  const failure = { status: 'failed', reference: null, failureReason: 'expired_card' } as const

  await inStore(store.id, (tx) => settleRefund(tx, asked.data.id, failure))

  assert.equal(off.status, 200)
  assert.deepEqual(await state(), [false, 2_500n])
})

test('of a refund and 20 concurrent checkouts, none spends the refunded value of a bought voucher', async () => {
  const { store, token, orderId, lineId, id, shop } = await paidForBoth()
  const { code } = await readVoucher(store, id)
  const carts = await Promise.all(Array.from({ length: 20 }, () => fillCart(store, shop.variantId)))
  const pay = { voucher_code: code, payment_method: 'voucher' }

  const [back, ...bought] = await Promise.all([
    refund(token, orderId, { items: [{ order_item_id: lineId, quantity: 1 }] }),
    ...carts.map((cart) => checkOut(shop, { cart, body: pay })),
  ])

  const spent = bought.filter(({ status }) => status === 201).length
  const { isActive, spentMinor, remainingMinor } = await readVoucher(store, id)
  assert.equal(back?.data.status, 'succeeded')
  assert.ok(spent <= 1)
  assert.equal(back?.data.amount, 25 - spent * 15)
  assert.deepEqual(
    { isActive, remainingMinor, spentMinor },
    { isActive: spent === 1, remainingMinor: 0n, spentMinor: BigInt(spent) * 1_500n },
  )
})

test('a voucher is bought, mailed, spent together with a card, and restored by the refund', async () => {
  const shop = await buildShop()
  const { store } = shop
  const { token } = await buildStaff(store, { role: 'accounting' })
  const { paid, voucher } = await order(shop, gift({ amount: 12 }))
  await paid()
  const [mail] = mailbox.mails(voucher.to_email)
  const [code = ''] = /(\w{4}-){3}\w{4}/.exec(mail?.text ?? '') ?? []
  const balance = async () => (await request(`GET /vouchers/${code}`, { store })).data.amount_remaining

  assert.equal(await balance(), 12)
  const cart = await fillCart(store, shop.variantId)
  const { data } = await checkOut(shop, { cart, body: { voucher_code: code } })
  await drainJobs()
  assert.equal(await balance(), 0)
  const charged = await confirm(await referenceOf(store, data.payment.id))
  assert.equal(charged.amount, 300)
  await notify('payment_intent.succeeded', charged)

  const { data: detail } = await request(`GET /admin/orders/${data.order.id}`, { token })
  assert.partialDeepStrictEqual(detail, { payment_status: 'paid', amount_captured: 15, voucher_total: 12 })
  await withWorker(request(`PATCH /admin/orders/${data.order.id}`, { token, body: { status: 'refunded' } }))
  assert.equal(await balance(), 12)
  const [found] = (await request(`GET /admin/vouchers?q=${code}`, { token })).data
  const { data: ledger } = await request(`GET /admin/vouchers/${found.id}/transactions`, { token })
  assert.deepEqual(
    ledger.map(({ kind, amount, balance }: Record<string, unknown>) => ({ kind, amount, balance })).reverse(),
    [
      { kind: 'issue', amount: 12, balance: 12 },
      { kind: 'reserve', amount: 12, balance: 0 },
      { kind: 'capture', amount: 12, balance: 0 },
      { kind: 'refund', amount: 12, balance: 12 },
    ],
  )
})

test('a gift voucher keeps its value when staff accept a smaller payment, until a refund', async () => {
  const shop = await buildShop()
  const { order: placed, payment, bought } = await order(shop)
  const { token } = await buildStaff(shop.store, { role: 'owner' })
  const intent = await confirm(await referenceOf(shop.store, payment.id))
  await notify('payment_intent.succeeded', { ...intent, amount_received: 1_900 })

  const accepted = await request(`POST /admin/orders/${placed.id}/resolve-payment`, {
    token,
    body: { payment_id: payment.id, decision: 'accept' },
  })
  const { remainingMinor: beforeMinor } = await bought()
  await assertBooks([shop.store.id])
  await inStore(shop.store.id, (tx) =>
    requestRefund(tx, placed.id, { amountMinor: 900n }, requestedBy('staff:1')),
  )
  const { remainingMinor: afterMinor } = await bought()

  assert.equal(accepted.status, 200)
  // 10.00 of the payment are left, and so is that much of the voucher.
  assert.deepEqual({ beforeMinor, afterMinor }, { beforeMinor: 2_500n, afterMinor: 1_000n })
  await drainJobs()
})

testBooks()
