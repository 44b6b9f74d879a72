import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { MAX_EXPLAINED_PRICES } from '#shared/cart/limits.ts'
import { explainPrices } from '#shared/cart/prices/explain-prices.ts'
import { priceForDestination } from '#shared/cart/prices/price-for-destination.ts'
import { readCart } from '#shared/cart/read-cart.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { watchLoopTurns } from '#test/support/measure/loop-turns.ts'
import { request } from '#test/support/processes/app.ts'

const PRICES_OF_VARIANT = 101

/** A guest cart with lines of variants that each have a base price and a hundred quantity discounts. */
async function buildCart(lines: number) {
  const store = await buildStore()
  const { variants } = await buildProduct(store, {
    priceRules: Array.from({ length: PRICES_OF_VARIANT - 1 }, (_, n) => ({
      minQuantity: n + 2,
      priceMinor: 900n - BigInt(n),
      startsAt: null,
      endsAt: null,
    })),
    options: [{ name: 'size', values: Array.from({ length: lines }, (_, n) => `${n}`) }],
    variants: Array.from({ length: lines }, (_, n) => ({ optionValues: { size: `${n}` } })),
  })
  let cart = ''
  for (const { id } of variants) {
    const body = { variant_id: id, quantity: 1 }
    const added = await request('POST /cart/items', { store, body, ...(cart ? { cart } : {}) })
    cart ||= added.data.token
  }
  return { store, cart }
}

test('the explanation of a cart with more than 2,000 possible prices is refused; the cart itself is not', async () => {
  const { store, cart } = await buildCart(Math.ceil(MAX_EXPLAINED_PRICES / PRICES_OF_VARIANT))

  const explained = await request('GET /cart?explain=true', { store, cart })
  const plain = await request('GET /cart', { store, cart })

  assert.partialDeepStrictEqual(explained, { status: 422, error_code: 'cart.too_many_prices' })
  assert.equal(plain.status, 200)
})

test('the prices of a long cart are explained in turns of some lines each', async () => {
  const { store, cart } = await buildCart(15)
  const contents = await readCart(store.id, { customerId: null, cartToken: cart })
  const priced = await priceForDestination({ storeId: store.id }, contents, null)
  using turns = watchLoopTurns()
  const lines = priced.lines.map((line) =>
    Object.defineProperty({ ...line }, 'quantity', {
      get() {
        turns.note()
        return line.quantity
      },
    }),
  )

  const explained = await explainPrices(store.id, { ...priced, lines }, null)

  assert.equal([...explained.values()].flat().length, 15 * PRICES_OF_VARIANT)
  assert.equal(turns.most, 5)
})
