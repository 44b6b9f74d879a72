import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Cart } from '#shared/cart/cart.ts'
import { updateCartMetadata } from '#shared/cart/update-cart-metadata.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import '#test/support/processes/gateway.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'
import { barrier } from '#test/support/races/barrier.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'

const CALLERS = {
  "a guest's cart": async () => {
    const store = await buildStore()
    const { data } = await request('PATCH /cart', { store, body: { metadata: {} } })
    return { store, cart: data.token as string }
  },
  "a customer's cart": async () => {
    const store = await buildStore()
    const { token } = await buildCustomer(store)
    return { store, token }
  },
}

for (const [whose, build] of Object.entries(CALLERS))
  test(`concurrent changes of the metadata of ${whose} keep the keys of all`, async () => {
    const caller = await build()
    const keys = Array.from({ length: 8 }, () => randomUUID())

    await Promise.all(
      keys.map((key) => request('PATCH /cart', { ...caller, body: { metadata: { [key]: 'x' } } })),
    )

    const { data } = await request('GET /cart', caller)
    assert.deepEqual(Object.keys(data.metadata).sort(), keys.sort())
  })

test('control: without the lock of the cart, two concurrent changes keep one key', async () => {
  const store = await buildStore()
  const { data } = await request('PATCH /cart', { store, body: { metadata: {} } })
  const meet = barrier(2)

  const changeNaively = (key: string) =>
    inStore(store.id, async (tx) => {
      const { metadata } = await Cart.in(tx).findById(data.id).throwIfNotFound()
      await meet()
      await Cart.in(tx)
        .findById(data.id)
        .patch({ metadata: { ...metadata, [key]: 'x' } })
    })
  await Promise.all([changeNaively('one'), changeNaively('two')])

  const { data: read } = await request('GET /cart', { store, cart: data.token })
  assert.equal(Object.keys(read.metadata).length, 1)
})

test('a checkout concurrent with a change of the metadata gives the order the new metadata', async () => {
  const shop = await buildShop()
  const cart = await fillCart(shop.store, shop.variantId)
  await request('PATCH /cart', { store: shop.store, cart, body: { metadata: { first: '1' } } })

  const change = await pending(
    (work) => inStore(shop.store.id, work),
    (tx) => updateCartMetadata(tx, { customerId: null, cartToken: cart }, { second: '2' }),
  )
  const checkedOut = checkOut(shop, { cart })
  await untilOneWaits()
  change.commit()
  const { data } = await checkedOut

  assert.deepEqual(data.order.metadata, { first: '1', second: '2' })
  const { data: left } = await request('GET /cart', { store: shop.store, cart })
  assert.deepEqual(left.metadata, {})
})

testBooks()
