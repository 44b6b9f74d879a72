import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import '#test/support/database.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { moveClock } from '#test/support/clock.ts'
import { pending, untilOneWaits, untilSomeWait } from '#test/support/races/overlap.ts'

const limitOrders = (most: number) => {
  process.env.LIMIT_ORDERS = String(most)
  resetConfig()
}

afterEach(async () => {
  limitOrders(0)
  await db()('rate_limits').delete()
})

type Shop = Awaited<ReturnType<typeof buildShop>>

const order = async (shop: Shop, email: string, payment_method = 'bank_transfer') =>
  checkOut(shop, { cart: await fillCart(shop.store, shop.variantId), body: { email, payment_method } })

const REFUSED = { status: 429, error_code: 'rate_limit.exceeded' }
const outcomeOf = ({ status, error_code }: { status: number; error_code: string | null }) => ({
  status,
  error_code,
})

test('above LIMIT_ORDERS, an order that is paid later returns 429 and reserves nothing', async () => {
  limitOrders(3)
  const shop = await buildShop(10)
  for (let n = 0; n < 3; n++) assert.equal((await order(shop, `buyer-${n}@example.test`)).status, 201)

  const refused = await order(shop, 'another@example.test', 'cash_on_delivery')

  assert.deepEqual(outcomeOf(refused), REFUSED)
  assert.deepEqual(await stockOf(shop.store, shop.variantId), { onHand: 10, allocated: 0, held: 3 })
})

test('a checkout that waits for stock delays no checkout of its network in another store', async () => {
  limitOrders(10)
  const [shop, other] = [await buildShop(), await buildShop()]
  await order(shop, 'first@example.test')
  const lockStock = ({ knex }: StoreTx) =>
    knex.raw('select from product_variants where id = ? for no key update', [shop.variantId])
  const stock = await pending((work) => inStore(shop.store.id, work), lockStock)

  const waiting = order(shop, 'second@example.test')
  await untilOneWaits()
  const ofOther = order(other, 'third@example.test')
  const first = await Promise.race([ofOther, untilSomeWait(2)])
  stock.commit()
  await stock.done

  assert.equal(first?.status, 201)
  const statuses = { waiting: (await waiting).status, ofOther: (await ofOther).status }
  assert.deepEqual(statuses, { waiting: 201, ofOther: 201 })
})

test('an address past the limit may order by card, and later again after an hour', async () => {
  limitOrders(1)
  const shop = await buildShop()
  await order(shop, 'first@example.test')

  const byCard = await order(shop, 'second@example.test', 'card')
  moveClock(HOUR_MS)
  const later = await order(shop, 'third@example.test')

  assert.deepEqual({ byCard: byCard.status, later: later.status }, { byCard: 201, later: 201 })
})

test('above ten times LIMIT_ORDERS, an order by card returns 429 and reserves nothing', async () => {
  limitOrders(1)
  const shop = await buildShop(20)
  for (let n = 0; n < 10; n++) assert.equal((await order(shop, 'buyer@example.test', 'card')).status, 201)

  const refused = await order(shop, 'buyer@example.test', 'card')

  assert.deepEqual(outcomeOf(refused), REFUSED)
  assert.deepEqual(await stockOf(shop.store, shop.variantId), { onHand: 20, allocated: 0, held: 10 })
})

test('an order that a voucher pays in full leaves the limit to an order that is paid later', async () => {
  limitOrders(1)
  const shop = await buildShop()
  const { code } = await buildVoucher(shop.store, { amountMinor: 100_000n })
  const cart = await fillCart(shop.store, shop.variantId)

  const paid = await checkOut(shop, { cart, body: { email: 'buyer@example.test', voucher_code: code } })
  const later = await order(shop, 'buyer@example.test')

  assert.partialDeepStrictEqual(paid.data.order, { payment_status: 'paid' })
  assert.equal(later.status, 201)
})

test('one e-mail address may place a tenth of the limit of unpaid orders, in each store', async () => {
  limitOrders(10)
  const [shop, other] = [await buildShop(), await buildShop()]
  await order(shop, 'victim@example.test')

  const again = await order(shop, 'Victim@Example.test')
  const elsewhere = await order(other, 'victim@example.test')

  assert.deepEqual(outcomeOf(again), REFUSED)
  assert.equal(elsewhere.status, 201)
})

test('many concurrent orders of one address are placed up to the limit', async () => {
  limitOrders(4)
  const shop = await buildShop()

  const placed = await Promise.all(
    Array.from({ length: 8 }, (_, n) => order(shop, `buyer-${n}@example.test`)),
  )

  assert.equal(placed.filter(({ status }) => status === 201).length, 4)
})

test('an order that fails does not count towards the limit', async () => {
  limitOrders(1)
  const shop = await buildShop(1)
  const cart = await fillCart(shop.store, shop.variantId, 1)
  const unavailable = await checkOut(shop, { cart, body: { expected_total: 0.01 } })

  const placed = await checkOut(shop, { cart, body: { payment_method: 'bank_transfer' } })

  assert.deepEqual(
    { unavailable: unavailable.status, placed: placed.status },
    { unavailable: 409, placed: 201 },
  )
})
