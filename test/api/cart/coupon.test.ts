import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildCategory, buildProduct } from '#test/support/builders/catalog.ts'
import { buildCouponScene } from '#test/support/builders/coupon-scene.ts'
import { buildCoupon } from '#test/support/builders/coupons.ts'
import { fillCart } from '#test/support/builders/place-orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { freezeClock } from '#test/support/clock.ts'
import { countStatements } from '#test/support/measure/count-statements.ts'
import { request } from '#test/support/processes/app.ts'

test('POST /cart/coupon applies a code in any case, and the cart shows the discount', async () => {
  const { store, put, read } = await buildCouponScene()
  await buildCoupon(store, { code: 'Welcome10', name: 'Ten off' })

  const answered = await put('  WELCOME10 ')

  assert.equal(answered.status, 200)
  assert.deepEqual(answered.data.coupon, {
    code: 'Welcome10',
    name: 'Ten off',
    type: 'percent',
    value: 10,
    free_shipping: false,
    applied: true,
    reason: '',
  })
  const { subtotal, discount_total, total } = answered.data
  assert.deepEqual({ subtotal, discount_total, total }, { subtotal: 20, discount_total: 2, total: 18 })
  assert.deepEqual((await read()).data, answered.data)
})

test('POST /cart/coupon replaces the coupon; a rejected one keeps it', async () => {
  const { store, put, read } = await buildCouponScene()
  const ten = await buildCoupon(store)
  const five = await buildCoupon(store, { type: 'fixed', value: 5 })
  const dear = await buildCoupon(store, { minTotalMinor: 2_001n })
  await put(ten.code)

  assert.equal((await put(five.code)).data.discount_total, 5)
  assert.equal((await put(dear.code)).error_code, 'coupon.min_total_not_met')

  assert.equal((await read()).data.coupon.code, five.code)
})

test('DELETE /cart/coupon removes the coupon, and succeeds without one', async () => {
  const { store, cart, put } = await buildCouponScene()
  await put((await buildCoupon(store)).code)

  for (const _ of ['once', 'twice']) {
    const { status, data } = await request('DELETE /cart/coupon', { store, cart })
    assert.deepEqual(
      { status, coupon: data.coupon, discount_total: data.discount_total, total: data.total },
      { status: 200, coupon: null, discount_total: 0, total: 20 },
    )
  }
  const none = await request('DELETE /cart/coupon', { store })
  assert.deepEqual(
    { status: none.status, id: none.data.id, coupon: none.data.coupon },
    { status: 200, id: null, coupon: null },
  )
})

test('POST /cart/coupon returns the error code of each reason, and a cart with the coupon shows the same code', async () => {
  const { store, cart, variantId, put, read, buy } = await buildCouponScene()
  const other = await buildProduct(store)
  const used = await buildCoupon(store, { usesTotal: 1 })
  await buy({ coupon_code: used.code }, { cart: await fillCart(store, variantId) })
  const at = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000)
  const cases: [code: string, status: number, errorCode: string][] = [
    ['NOBODY', 404, 'coupon.not_found'],
    [(await buildCoupon(store, { isActive: false })).code, 404, 'coupon.not_found'],
    [(await buildCoupon(await buildStore())).code, 404, 'coupon.not_found'],
    [(await buildCoupon(store, { endsAt: at(-1) })).code, 422, 'coupon.expired'],
    [(await buildCoupon(store, { startsAt: at(1) })).code, 422, 'coupon.expired'],
    [(await buildCoupon(store, { loggedInOnly: true })).code, 401, 'coupon.login_required'],
    [used.code, 409, 'coupon.usage_exceeded'],
    [(await buildCoupon(store, { minTotalMinor: 2_001n })).code, 422, 'coupon.min_total_not_met'],
    [(await buildCoupon(store, { productIds: [other.id] })).code, 422, 'coupon.not_applicable'],
  ]

  for (const [code, status, errorCode] of cases) {
    const refused = await put(code)
    assert.partialDeepStrictEqual(refused, { status, error_code: errorCode }, code)
    const ordered = await buy({ coupon_code: code })
    assert.partialDeepStrictEqual(ordered, { status, error_code: errorCode }, code)
  }
  for (const [code, status, errorCode] of cases.filter(([, , is]) => is !== 'coupon.not_found')) {
    await inStore(store.id, (tx) =>
      tx.knex('carts').where({ store_id: store.id }).update({ coupon_code: code.toLowerCase() }),
    )
    const { data } = await read()
    assert.partialDeepStrictEqual(data.coupon, { applied: false, reason: errorCode })
    assert.partialDeepStrictEqual(data, { discount_total: 0, total: 20 })
    const ordered = await buy()
    assert.partialDeepStrictEqual(ordered, { status, error_code: errorCode }, code)
    assert.equal((await read()).data.items.length, 1, 'the cart stays')
  }
  assert.equal((await request('DELETE /cart/coupon', { store, cart })).status, 200)
  assert.equal((await buy()).status, 201, 'without it the order goes through')
})

test('POST /cart/coupon without a cart returns an error', async () => {
  const { store, put } = await buildCouponScene()
  const { code } = await buildCoupon(store)

  for (const as of [{}, { cart: 'made-up' }, { token: (await buildCustomer(store)).token }]) {
    assert.equal((await put(code, as)).error_code, 'coupon.not_applicable')
    assert.equal((await put('NOBODY', as)).error_code, 'coupon.not_found')
  }
})

test('POST /cart/coupon with anything but a code returns 422', async () => {
  const { store, cart } = await buildCouponScene()

  for (const body of [
    {},
    { code: '' },
    { code: ' ' },
    { code: 'X'.repeat(65) },
    { code: 'X', value: 99 },
    { code: 7 },
  ])
    assert.equal((await request('POST /cart/coupon', { store, cart, body })).error_code, 'validation.failed')
})

test('the start of a coupon is inclusive, its end exclusive', async () => {
  const { store, put, read } = await buildCouponScene()
  const startsAt = new Date(Date.now() + 3_600_000)
  const endsAt = new Date(startsAt.getTime() + 3_600_000)
  const { code } = await buildCoupon(store, { startsAt, endsAt })
  const at = (moment: Date, ms: number) => freezeClock(new Date(moment.getTime() + ms))

  at(startsAt, -1)
  const early = await put(code)
  assert.equal(early.error_code, 'coupon.expired')
  assert.equal(early.error?.includes(startsAt.toISOString()), true)
  at(startsAt, 0)
  assert.equal((await put(code)).status, 200)
  at(endsAt, -1)
  assert.equal((await read()).data.coupon.applied, true)
  at(endsAt, 0)
  assert.equal((await read()).data.coupon.reason, 'coupon.expired')
  assert.equal((await put(code)).error_code, 'coupon.expired')
})

test('a coupon stays on a changed cart and applies again when its conditions are met', async () => {
  const { store, cart, put, read } = await buildCouponScene()
  const { code } = await buildCoupon(store, { type: 'fixed', value: 5, minTotalMinor: 1_500n })
  const { items } = (await put(code)).data
  const set = (quantity: number) =>
    request(`PATCH /cart/items/${items[0].id}`, { store, cart, body: { quantity } })

  const less = (await set(1)).data
  assert.deepEqual(
    { reason: less.coupon.reason, total: less.total },
    { reason: 'coupon.min_total_not_met', total: 10 },
  )
  const more = (await set(3)).data
  assert.deepEqual({ applied: more.coupon.applied, total: more.total }, { applied: true, total: 25 })
  assert.deepEqual((await read()).data, more)
})

test('a cart of exactly the minimum meets it', async () => {
  const { store, put } = await buildCouponScene()

  assert.equal((await put((await buildCoupon(store, { minTotalMinor: 2_000n })).code)).status, 200)
})

test('a deactivated coupon shows its reason on the cart; a deleted one is gone', async () => {
  const { store, put, read, buy } = await buildCouponScene()
  const coupon = await buildCoupon(store)
  await put(coupon.code)
  const { token } = await buildStaff(store, { role: 'marketing' })

  await request(`DELETE /admin/coupons/${coupon.id}`, { token })
  assert.equal((await read()).data.coupon.reason, 'coupon.not_found')
  await request(`DELETE /admin/coupons/${coupon.id}?purge=true`, { token })
  assert.equal((await read()).data.coupon, null)

  const { status, data } = await buy()
  assert.deepEqual(
    { status, coupon_code: data.order.coupon_code, total: data.order.total },
    { status: 201, coupon_code: '', total: 25 },
  )
})

test('a coupon with a new code is removed from carts', async () => {
  const { store, put, read } = await buildCouponScene()
  const { id, code } = await buildCoupon(store)
  await put(code)
  const { token } = await buildStaff(store, { role: 'marketing' })

  await request(`PATCH /admin/coupons/${id}`, { token, body: { code: 'LEAKED-NO-MORE' } })

  assert.equal((await read()).data.coupon, null)
})

test('a coupon for products and categories, with their descendants, discounts only these lines', async () => {
  const { store, cart, put, read, buy } = await buildCouponScene()
  const top = await buildCategory(store)
  const middle = await buildCategory(store, { parentId: top.id, isActive: false })
  const low = await buildCategory(store, { parentId: middle.id })
  const [named, shelved] = [
    await buildProduct(store, { priceMinor: 700n }),
    await buildProduct(store, { priceMinor: 300n, categoryIds: [low.id] }),
  ]
  for (const { id } of [named, shelved])
    await request('POST /cart/items', { store, cart, body: { product_id: id, quantity: 1 } })
  const off = async (given: object) => (await put((await buildCoupon(store, given)).code)).data.discount_total

  assert.equal(await off({ value: 50, categoryIds: [top.id] }), 1.5)
  assert.equal(await off({ value: 50, productIds: [named.id] }), 3.5)
  assert.equal(await off({ type: 'fixed', value: 100, categoryIds: [top.id], productIds: [named.id] }), 10)
  assert.equal(await off({ type: 'fixed', value: 1, categoryIds: [low.id], productIds: [named.id] }), 1)

  const parts = [
    { line_total: 20, discount_total: 0 },
    { line_total: 7, discount_total: 0.7 },
    { line_total: 3, discount_total: 0.3 },
  ]
  const { items } = (await read()).data
  const { order } = (await buy()).data
  for (const lines of [items, order.items])
    assert.deepEqual(
      lines.map(({ line_total, discount_total }: Record<string, number>) => ({
        line_total,
        discount_total,
      })),
      parts,
    )
})

test('after its category is deleted a coupon matches nothing', async () => {
  const { store, put, read } = await buildCouponScene()
  const category = await buildCategory(store)
  const product = await buildProduct(store, { categoryIds: [category.id] })
  const cart = await fillCart(store, product.variants[0]?.id ?? '')
  await put((await buildCoupon(store, { categoryIds: [category.id] })).code, { cart })

  await inStore(store.id, async (tx) => {
    await tx.knex('product_categories').where({ store_id: store.id, category_id: category.id }).delete()
    await tx.knex('categories').where({ store_id: store.id, id: category.id }).delete()
  })

  assert.equal((await read({ cart })).data.coupon.reason, 'coupon.not_applicable')
})

test('a discount never exceeds the subtotal, and a variant that is no longer sold has the price 0', async () => {
  const { store, cart, put, read } = await buildCouponScene()
  const other = await buildProduct(store, { priceMinor: 500n })
  await request('POST /cart/items', { store, cart, body: { product_id: other.id, quantity: 1 } })
  await put((await buildCoupon(store, { type: 'fixed', value: 1_000 })).code)
  const amounts = async () => {
    const { subtotal, discount_total, total } = (await read()).data
    return [subtotal, discount_total, total]
  }

  assert.deepEqual(await amounts(), [25, 25, 0])
  await inStore(store.id, (tx) =>
    tx.knex('products').where({ store_id: store.id, id: other.id }).update({ is_active: false }),
  )
  assert.deepEqual(await amounts(), [20, 20, 0])
})

test('a coupon for signed-in customers applies after the guest cart is merged', async () => {
  const { store, cart, variantId, put, read } = await buildCouponScene()
  const { code } = await buildCoupon(store, { loggedInOnly: true })
  const all = await buildCoupon(store)
  const { email, password, token } = await buildCustomer(store)
  await request('POST /cart/items', { store, token, body: { variant_id: variantId, quantity: 1 } })
  assert.equal((await put(code, { token })).data.coupon.applied, true)
  const signIn = (guests: string) =>
    request('POST /auth/login', { store, cart: guests, body: { email, password } })

  const bare = await fillCart(store, variantId)
  await signIn(bare)
  assert.equal((await read({ token })).data.coupon.code, code, "the customer's stays")

  await put(all.code)
  await signIn(cart)
  const { data } = await read({ token })
  assert.deepEqual(
    { code: data.coupon.code, subtotal: data.subtotal, discount_total: data.discount_total },
    { code: all.code, subtotal: 40, discount_total: 4 },
  )
})

test('DELETE /cart removes the coupon', async () => {
  const { store, cart, variantId, put, read } = await buildCouponScene()
  await put((await buildCoupon(store)).code)

  await request('DELETE /cart', { store, cart })
  await request('POST /cart/items', { store, cart, body: { variant_id: variantId, quantity: 1 } })

  assert.equal((await read()).data.coupon, null)
})

test('a coupon needs one more statement, for any number of lines', async () => {
  const { store, cart, put, read } = await buildCouponScene()
  const bare = await countStatements(() => read())
  const category = await buildCategory(store)
  await put((await buildCoupon(store)).code)
  const one = await countStatements(() => read())
  for (let i = 0; i < 5; i++) {
    const { id } = await buildProduct(store, { categoryIds: [category.id] })
    await request('POST /cart/items', { store, cart, body: { product_id: id, quantity: 1 } })
  }
  await put((await buildCoupon(store, { categoryIds: [category.id] })).code)

  // Alone in its round trip, it sets its store before it.
  assert.deepEqual(
    { one, statements: await countStatements(() => read()) },
    { one: bare + 2, statements: bare + 2 },
  )
})

testBooks()
