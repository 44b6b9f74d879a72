import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import pg from 'pg'
import { runDeferredMoves } from '#shared/inventory/deferred-moves.ts'
import { Order } from '#shared/orders/order.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { applyCapture } from '#shared/settlement/apply-capture.ts'
import { errorCodeOf, stockOf } from '#test/support/books/observe-orders.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildPaymentMethods, buildShippingMethod } from '#test/support/builders/methods.ts'
import { buildCheckoutRequest, buildOrder, place, readStore } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'

const LOCK_IS_TAKEN = '55P03'

/** A variant that many buy at the same time. */
async function scene(stockOnHand: number) {
  const store = await buildStore()
  const { variants } = await buildProduct(store, { variants: [{ stockOnHand }] })
  const items = [{ variantId: variants[0]?.id ?? '', quantity: 1 }]
  const variantId = items[0]?.variantId ?? ''
  const shipping = await buildShippingMethod(store)
  await buildPaymentMethods(store)
  const visit = await readStore(store.id)
  const request = buildCheckoutRequest(shipping.id)
  return {
    store,
    items,
    buy: (tx: StoreTx) => place(tx, visit, { customerId: null, items, request }),
    /** Whether another transaction could lock the variant now. */
    isFree: () =>
      inStore(store.id, ({ knex }) =>
        knex('product_variants').where('id', variantId).forNoKeyUpdate().noWait(),
      ).then(
        () => true,
        (error: { code?: string }) => {
          if (error.code !== LOCK_IS_TAKEN) throw error
          return false
        },
      ),
    stock: () => stockOf(store, variantId),
  }
}

test('a new order leaves its variants unlocked until its commit', async () => {
  const { store, buy, isFree, stock } = await scene(5)

  await inStore(store.id, async (tx) => {
    await buy(tx)
    assert.equal(await isFree(), true)
  })

  assert.deepEqual(await stock(), { onHand: 5, allocated: 0, held: 1 })
})

test('a capture leaves the variants of its order unlocked until its commit', async () => {
  const { store, items, isFree, stock } = await scene(5)
  const order = await buildOrder(store, { items })
  const { paymentId, totalMinor: amountMinor, currency } = order

  await inStore(store.id, async (tx) => {
    await applyCapture(tx, paymentId ?? '', { reference: `pi_${order.id}`, amountMinor, currency })
    assert.equal(await isFree(), true)
  })

  assert.deepEqual(await stock(), { onHand: 5, allocated: 1, held: 0 })
})

test('control: a move that does not wait locks the variant until the commit', async () => {
  const { store, buy, isFree } = await scene(5)

  await inStore(store.id, async (tx) => {
    const { id } = await buy(tx)
    await runDeferredMoves(tx, id)
    assert.equal(await isFree(), false)
  })
})

test('an order whose last unit was sold before its commit is not placed, and reserves nothing', async () => {
  const { store, buy, stock } = await scene(1)

  const late = inStore(store.id, async (tx) => {
    await buy(tx)
    await inStore(store.id, buy)
  })

  assert.equal(await errorCodeOf(late), 'checkout.insufficient_stock')
  assert.deepEqual(await stock(), { onHand: 1, allocated: 0, held: 1 })
  const orders = await inStore(store.id, (tx) => Order.in(tx).resultSize())
  assert.equal(orders, 1)
})

test('a new order sends its commit right after it has locked its variants', async (t) => {
  const { store, buy } = await scene(5)
  const sent = t.mock.method(pg.Client.prototype, 'query')

  await inStore(store.id, buy)

  const texts = sent.mock.calls.map(({ arguments: [query] }) =>
    typeof query === 'string' ? query : (query as unknown as { text: string }).text,
  )
  const lock = texts.findIndex((text) => /update product_variants/.test(text))
  assert.notEqual(lock, -1)
  assert.deepEqual(
    texts.slice(lock + 1).map((text) => /update catalog_versions .*; commit$/.test(text)),
    [true],
  )
})

testBooks()
