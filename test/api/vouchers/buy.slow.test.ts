import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildGift, findBought, orderVoucher, putInCart } from '#test/support/builders/buy-vouchers.ts'
import { buildShippingMethod } from '#test/support/builders/methods.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'
import { buildTaxClass, buildTaxRate } from '#test/support/builders/taxes.ts'
import { buildTheme, buildVoucher, readVoucher } from '#test/support/builders/vouchers.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'

test('POST /cart/items adds a gift voucher as a separate line, without variant and quantity', async () => {
  const shop = await buildShop()
  const theme = await buildTheme(shop.store)
  const cart = await fillCart(shop.store, shop.variantId, 2)

  const { status, data } = await putInCart(
    shop,
    { voucher: buildGift({ voucher_theme_id: theme.id, to_email: 'g@example.test' }) },
    cart,
  )
  const twice = await putInCart(shop, { voucher: buildGift(), quantity: 1 }, cart)

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
    const { status, error_code } = await putInCart(shop, body)
    return [status, error_code]
  }
  const invalid = [422, 'validation.failed']

  for (const amount of [0.99, 10_000.01])
    assert.deepEqual(await refused({ voucher: buildGift({ amount }) }), [422, 'voucher.amount_out_of_range'])
  for (const amount of [0, -5, 10.001, '10', null])
    assert.deepEqual(await refused({ voucher: buildGift({ amount }) }), invalid, String(amount))
  assert.deepEqual(await refused({ voucher: buildGift(), quantity: 2 }), invalid)
  assert.deepEqual(await refused({ voucher: buildGift(), variant_id: shop.variantId }), invalid)
  assert.deepEqual(await refused({ voucher: buildGift({ voucher_theme_id: randomUUID() }) }), invalid)
  assert.deepEqual(await refused({ voucher: buildGift({ to_email: 'nobody' }) }), invalid)
  assert.deepEqual(await refused({ variant_id: shop.variantId }), invalid)
  assert.deepEqual(await refused({}), invalid)
})

test('a cart takes at most 20 gift vouchers', async () => {
  const shop = await buildShop()
  const { data } = await putInCart(shop, { voucher: buildGift() })
  for (let n = 1; n < 20; n++) await putInCart(shop, { voucher: buildGift() }, data.token)

  const refused = await putInCart(shop, { voucher: buildGift() }, data.token)

  assert.partialDeepStrictEqual(refused, { status: 422, error_code: 'cart.voucher_limit_reached' })
})

test('a gift voucher is removed like any line, and its quantity stays 1', async () => {
  const shop = await buildShop()
  const { data } = await putInCart(shop, { voucher: buildGift() })
  await putInCart(shop, { voucher: buildGift() }, data.token)
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
  const { data: cart } = await putInCart(shop, { voucher: buildGift() })

  const signedIn = await request('POST /auth/login', { store, cart: cart.token, body: { email, password } })

  const { data } = await request('GET /cart', { store, token: signedIn.data.access_token })
  assert.deepEqual({ itemsCount: data.items.length, total: data.total }, { itemsCount: 1, total: 25 })
})

test('an order of only gift vouchers has no shipping method and no shipping costs', async () => {
  const shop = await buildShop()

  const { order: placed, payment } = await orderVoucher(shop)
  const { data: cart } = await putInCart(shop, { variant_id: shop.variantId, quantity: 1 })
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
  const { order: placed, paid, bought, voucher } = await orderVoucher(shop)
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
  const transfer = await orderVoucher(shop, buildGift(), { payment_method: 'bank_transfer' })
  const canceled = await orderVoucher(shop, buildGift(), { payment_method: 'bank_transfer' })

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
  await putInCart(shop, { voucher: buildGift() }, cart)

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
  await putInCart(shop, { voucher: buildGift() }, cart)

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
  await putInCart(shop, { voucher: buildGift() }, cart)

  const { data } = await checkOut(shop, { cart, body: { voucher_code: code } })
  const alone = await orderVoucher(shop)

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
  await putInCart(shop, { voucher: buildGift() }, cart)

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
  const { data: cart } = await putInCart(shop, { voucher: buildGift({ voucher_theme_id: theme.id }) })

  const deleted = await request(`DELETE /admin/voucher-themes/${theme.id}`, { token })
  const { status, data } = await checkOut(shop, { cart: cart.token })

  assert.equal(deleted.status, 200)
  assert.equal(status, 201)
  const [bought] = await findBought(shop, data.order.id)
  assert.equal(bought?.voucherThemeId, null)
})

test("a gift voucher does not count towards the store's minimum order, and has none alone", async () => {
  const shop = await buildShop(100, { minOrderTotalMinor: 2_000n })
  const buyWithGift = async (goods: number) => {
    const filled = goods ? await fillCart(shop.store, shop.variantId, goods) : undefined
    const { data } = await putInCart(shop, { voucher: buildGift({ amount: goods ? 100 : 5 }) }, filled)
    return checkOut(shop, {
      cart: filled ?? data.token,
      ...(goods ? {} : { body: { shipping_method_id: undefined } }),
    })
  }

  const below = await buyWithGift(1)
  const enough = await buyWithGift(2)
  const alone = await buyWithGift(0)

  assert.partialDeepStrictEqual(below, { status: 422, error_code: 'checkout.min_order_not_met' })
  assert.match(below.error ?? '', /20 EUR.*goods for 10\b/)
  assert.deepEqual([enough.status, alone.status], [201, 201])
})

testBooks()
