import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { addCartItem } from '#shared/cart/items/add-cart-item.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { type BuiltStore, buildStore, nextNumber } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'

async function fillCart(store: BuiltStore, customerId: string | null, productId: string, quantity: number) {
  const item = { productId, quantity }
  const { token } = await inStore(store.id, (tx) => addCartItem(tx, { customerId, cartToken: null }, item))
  return token ?? ''
}

const linesOf = (store: BuiltStore, customerId: string) =>
  inStore(store.id, (tx) =>
    tx
      .knex('cart_items')
      .join('carts', 'carts.id', 'cart_items.cart_id')
      .where('carts.customer_id', customerId)
      .pluck('quantity'),
  )

const cartsOf = (store: BuiltStore) => inStore(store.id, (tx) => tx.knex('carts').pluck('customer_id'))

test("registration assigns the guest's cart to the new account", async () => {
  const store = await buildStore()
  const cart = await fillCart(store, null, (await buildProduct(store)).id, 2)
  const body = {
    email: `new-${nextNumber()}@example.test`,
    password: 'correct horse',
    firstname: 'Ada',
    lastname: 'Byron',
  }

  const { data } = await request('POST /auth/register', { store, cart, body })

  assert.deepEqual(await linesOf(store, data.customer.id), [2])
  assert.deepEqual(await cartsOf(store), [data.customer.id])
})

test("concurrent sign-ins merge the guest's cart into the account's cart once", async () => {
  const store = await buildStore()
  const product = await buildProduct(store)
  const { id, email, password } = await buildCustomer(store)
  await fillCart(store, id, product.id, 3)
  const cart = await fillCart(store, null, product.id, 2)
  const signIn = () => request('POST /auth/login', { store, cart, body: { email, password } })

  await Promise.all([signIn(), signIn(), signIn()])

  assert.deepEqual(await linesOf(store, id), [5])
})

test("a refused sign-in leaves the guest's cart unchanged", async () => {
  const store = await buildStore()
  const { email } = await buildCustomer(store)
  const cart = await fillCart(store, null, (await buildProduct(store)).id, 2)

  await request('POST /auth/login', { store, cart, body: { email, password: 'wrong guess' } })

  assert.deepEqual(await cartsOf(store), [null])
})

test('an unknown cart token is ignored; a staff sign-in merges no cart', async () => {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const member = await buildStaff(store, { role: 'owner' })
  const cart = await fillCart(store, null, (await buildProduct(store)).id, 2)
  const { password } = customer

  const unknown = await request('POST /auth/login', {
    store,
    cart: 'no such cart',
    body: { email: customer.email, password },
  })
  const asStaff = await request('POST /auth/login', {
    store,
    cart,
    body: { email: member.email, password, account: 'staff' },
  })

  assert.deepEqual({ unknown: unknown.status, asStaff: asStaff.status }, { unknown: 200, asStaff: 200 })
  assert.deepEqual(await cartsOf(store), [null])
})
