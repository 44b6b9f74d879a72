import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'
import { countStatements } from '#test/support/measure/count-statements.ts'
import { request } from '#test/support/processes/app.ts'

/** A shop, and a cart of `lines` lines. */
async function scene(lines: number) {
  const shop = await buildShop()
  const cart = await fillCart(shop.store, shop.variantId)
  for (let i = 1; i < lines; i++) {
    const { id } = await buildProduct(shop.store)
    await request('POST /cart/items', { store: shop.store, cart, body: { product_id: id, quantity: 1 } })
  }
  return { shop, cart }
}

test('a cart of many lines needs as few statements as a cart of one', async () => {
  const counts: number[][] = []
  for (const lines of [1, 6]) {
    const { shop, cart } = await scene(lines)
    const { store, variantId } = shop
    const body = { variant_id: variantId, quantity: 1 }
    counts.push([
      await countStatements(() => request('GET /cart', { store, cart })),
      await countStatements(() => request('POST /cart/items', { store, cart, body })),
      await countStatements(() => checkOut(shop, { cart, body: { payment_method: 'cash_on_delivery' } })),
    ])
  }

  const [one, many] = counts
  assert.deepEqual(many, one)
  assert.equal(one?.[0], 3, 'the store, its setting, the cart')
})

testBooks()
