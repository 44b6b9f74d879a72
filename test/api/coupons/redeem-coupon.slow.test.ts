import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildCouponScene, couponOf, OFFLINE } from '#test/support/builders/coupon-scene.ts'
import { buildCoupon } from '#test/support/builders/coupons.ts'
import { buildShop, checkOut, fillCart, placeCardOrder } from '#test/support/builders/place-orders.ts'
import { moveClock } from '#test/support/clock.ts'
import { rowsOf } from '#test/support/measure/rows-of.ts'
import { request } from '#test/support/processes/app.ts'
import { drainDueOrders } from '#test/support/processes/jobs.ts'

test("POST /checkout redeems the cart's coupon, and the order shows the discount", async () => {
  const { store, put, read, buy } = await buildCouponScene()
  const coupon = await buildCoupon(store, { code: 'Welcome10' })
  await put('welcome10')

  const { status, data } = await buy({ expected_total: 23 })

  assert.equal(status, 201)
  const { order } = data
  assert.partialDeepStrictEqual(order, {
    coupon_code: 'Welcome10',
    subtotal: 20,
    discount_total: 2,
    shipping_total: 5,
    total: 23,
  })
  assert.equal(order.items[0].discount_total, 2)
  const { uses_count, uses, total } = await couponOf(store, coupon.id)
  assert.deepEqual({ uses_count, total }, { uses_count: 1, total: 1 })
  assert.deepEqual(
    { ...uses[0], id: null, created_at: null },
    {
      id: null,
      order_id: order.id,
      customer_id: null,
      discount: 2,
      currency: 'EUR',
      created_at: null,
      released_at: null,
    },
  )
  assert.equal((await read()).data.coupon, null, 'the cart is bare again')
})

test("POST /checkout with coupon_code replaces the cart's coupon, which is removed", async () => {
  const { store, put, read, buy } = await buildCouponScene()
  const mine = await buildCoupon(store)
  const asked = await buildCoupon(store, { type: 'fixed', value: 7.5 })
  await put(mine.code)

  const { order } = (await buy({ coupon_code: asked.code.toLowerCase() })).data

  assert.partialDeepStrictEqual(order, { coupon_code: asked.code, discount_total: 7.5 })
  assert.equal((await couponOf(store, mine.id)).uses_count, 0)
  assert.equal((await read()).data.coupon, null)
})

test('POST /checkout with a free-shipping coupon costs no shipping, with or without a discount', async () => {
  const { store, variantId, buy } = await buildCouponScene()
  const alone = await buildCoupon(store, { value: 0, freeShipping: true })
  const all = await buildCoupon(store, { value: 100, freeShipping: true })

  const { order } = (await buy({ coupon_code: alone.code })).data
  assert.partialDeepStrictEqual(order, { discount_total: 0, shipping_total: 0, total: 20 })

  const cart = await fillCart(store, variantId)
  const free = (await buy({ coupon_code: all.code, payment_method: 'card' }, { cart })).data
  assert.deepEqual(
    { total: free.order.total, payment_status: free.order.payment_status, payment: free.payment },
    { total: 0, payment_status: 'paid', payment: null },
  )
})

test("POST /checkout compares the store's minimum with the discounted price", async () => {
  const shop = await buildShop(100, { minOrderTotalMinor: 1_000n })
  const { code } = await buildCoupon(shop.store, { value: 1 })
  const cart = await fillCart(shop.store, shop.variantId)

  const { error_code } = await checkOut(shop, { cart, body: { ...OFFLINE, coupon_code: code } })

  assert.equal(error_code, 'checkout.min_order_not_met')
})

test('a buyer is identified by account or e-mail address, ignoring case', async () => {
  const { store, variantId, put, buy } = await buildCouponScene()
  const { code } = await buildCoupon(store, { usesPerCustomer: 1 })
  const ada = await buildCustomer(store, { email: 'ada@example.test' })
  const again = async (body: object, token?: string) => {
    const cart = await fillCart(store, variantId)
    return (await buy({ coupon_code: code, ...body }, { cart, ...(token ? { token } : {}) })).error_code
  }

  assert.equal(await again({ email: 'bob@example.test' }), null)
  assert.equal(await again({ email: 'BOB@example.test' }), 'coupon.usage_exceeded')
  assert.equal(await again({ email: undefined }, ada.token), null)
  assert.equal(await again({ email: 'other@example.test' }, ada.token), 'coupon.usage_exceeded')
  assert.equal(await again({ email: 'Ada@Example.test' }), 'coupon.usage_exceeded')
  assert.equal(await again({ email: 'eve@example.test' }), null)
  const eve = await buildCustomer(store, { email: 'Eve@example.test' })
  assert.equal(await again({ email: 'new@example.test' }, eve.token), 'coupon.usage_exceeded')
  const zoe = await buildCustomer(store, { email: 'zoe@example.test' })
  assert.equal(await again({ email: 'another@example.test' }, zoe.token), null)
  assert.equal(await again({ email: 'zoe@example.test' }), 'coupon.usage_exceeded')
  await request('POST /cart/items', { store, token: eve.token, body: { variant_id: variantId, quantity: 1 } })
  assert.equal((await put(code, { token: eve.token })).error_code, 'coupon.usage_exceeded')
  await request('POST /cart/items', { store, token: ada.token, body: { variant_id: variantId, quantity: 1 } })
  assert.equal((await put(code, { token: ada.token })).error_code, 'coupon.usage_exceeded')
  assert.equal((await put(code)).status, 200, 'the e-mail address of the guest is unknown')
})

test('an order whose coupon was used up since can be neither paid again nor marked as paid', async () => {
  const { shop, store, variantId, buy } = await buildCouponScene()
  const { id: couponId, code } = await buildCoupon(store, { usesTotal: 1 })
  const { id, accessToken } = await placeCardOrder(shop, 1, { coupon_code: code })
  moveClock(60 * MINUTE_MS)
  await drainDueOrders()
  await buy({ coupon_code: code }, { cart: await fillCart(store, variantId) })
  const { token } = await buildStaff(store, { role: 'accounting' })

  const paid = await request(`POST /orders/${id}/pay?access_token=${accessToken}`, {
    store,
    key: randomUUID(),
    body: {},
  })
  const marked = await request(`POST /admin/orders/${id}/mark-paid`, { token, body: {} })

  for (const refused of [paid, marked])
    assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'coupon.usage_exceeded' })
  assert.partialDeepStrictEqual(await couponOf(store, couponId), { uses_count: 1 })
  const { data } = await request(`GET /admin/orders/${id}`, { token })
  assert.partialDeepStrictEqual(data, { status: 'pending', payment_status: 'unpaid' })
})

test('a coupon use stores no e-mail address', async () => {
  const { store, buy } = await buildCouponScene()
  const { code } = await buildCoupon(store)
  await buy({ coupon_code: code, email: 'secret@example.test' })

  const { coupon_uses: uses } = await rowsOf(store)

  assert.equal(uses?.length, 1)
  assert.ok(!uses?.[0]?.includes('secret'))
})

test('a checkout repeated with its key redeems the coupon once', async () => {
  const { store, shop, cart } = await buildCouponScene()
  const coupon = await buildCoupon(store)
  const key = randomUUID()
  const body = { ...OFFLINE, coupon_code: coupon.code, email: 'ada@example.test' }

  const first = await checkOut(shop, { cart, key, body })
  const second = await checkOut(shop, { cart, key, body })

  assert.deepEqual(first.data, second.data)
  assert.equal((await couponOf(store, coupon.id)).uses_count, 1)
})

test('GET /admin/coupons/{coupon_id}/uses is paged, newest first', async () => {
  const { store, variantId, buy } = await buildCouponScene()
  const { id, code } = await buildCoupon(store)
  const orders: string[] = []
  for (const _ of [1, 2, 3]) {
    const { data } = await buy({ coupon_code: code }, { cart: await fillCart(store, variantId) })
    orders.unshift(data.order.id)
  }
  const { token } = await buildStaff(store, { role: 'marketing' })
  const page = (no: number) => request(`GET /admin/coupons/${id}/uses?page=${no}&page_size=2`, { token })
  const ids = (data: { order_id: string }[]) => data.map(({ order_id }) => order_id)

  const [first, second] = [await page(1), await page(2)]

  assert.deepEqual([...ids(first.data), ...ids(second.data)], orders)
  assert.deepEqual(first.meta, { page: 1, page_size: 2, total: 3, total_pages: 2 })
  const purge = await request(`DELETE /admin/coupons/${id}?purge=true`, { token })
  assert.partialDeepStrictEqual(purge, { status: 409, error_code: 'coupon.in_use' })
  await request(`DELETE /admin/coupons/${id}`, { token })
  assert.deepEqual(ids((await page(1)).data), orders.slice(0, 2), 'a deactivated one keeps them')
})

testBooks()
