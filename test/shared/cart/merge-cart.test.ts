import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { CartItem } from '#shared/cart/cart.ts'
import { mergeCart, mergedQuantity } from '#shared/cart/merge-cart.ts'
import { openCart } from '#shared/cart/open-cart.ts'
import { Product } from '#shared/catalog/product.ts'
import { ProductVariant } from '#shared/catalog/variant.ts'
import { ensureDefaultGroup } from '#shared/customers/customer-group.ts'
import { setStock } from '#shared/inventory/set-stock.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'

async function scene() {
  const store = await buildStore()
  return inStore(store.id, async (tx) => {
    const at = now()
    const customerId = newId()
    await tx.knex('customers').insert({
      store_id: store.id,
      id: customerId,
      email: 'a@b.c',
      email_normalized: 'a@b.c',
      firstname: 'A',
      lastname: 'B',
      customer_group_id: await ensureDefaultGroup(tx),
      created_at: at,
      updated_at: at,
    })
    const product = await Product.in(tx).insert({
      slug: 'p',
      nameI18n: { en: 'P' },
      priceMinor: 100n,
      createdAt: at,
      updatedAt: at,
    })
    const variant = async (stockOnHand: number, backorder = false) => {
      const { id } = await ProductVariant.in(tx).insert({
        productId: product.id,
        sku: newId(),
        position: 0,
        backorder,
        createdAt: at,
        updatedAt: at,
      })
      await setStock(tx, [{ variantId: id, stockOnHand }], { reason: 'import' })
      return id
    }
    return {
      store,
      customerId,
      few: await variant(3),
      many: await variant(100),
      endless: await variant(0, true),
    }
  })
}

const put = (tx: StoreTx, cartId: string, variantId: string, quantity: number) =>
  CartItem.in(tx).insert({ cartId, variantId, quantity, createdAt: now() })

const quantitiesOf = async (storeId: string, customerId: string) => {
  const rows = await inStore(storeId, (tx) =>
    tx
      .knex('cart_items as i')
      .join('carts as c', 'c.id', 'i.cart_id')
      .where('c.customer_id', customerId)
      .select('variant_id', 'quantity'),
  )
  return Object.fromEntries(rows.map((r) => [r.variant_id, r.quantity]))
}

test('merged quantities add up to the stock and never shrink', () => {
  assert.equal(mergedQuantity(1, 2, 100), 3)
  assert.equal(mergedQuantity(2, 2, 3), 3)
  assert.equal(mergedQuantity(5, 2, 3), 5)
  assert.equal(mergedQuantity(0, 2, 0), 0)
  assert.equal(mergedQuantity(900, 900, 5000), 999)
})

test("a guest cart is merged into the customer's cart once", async () => {
  const { store, customerId, few, many, endless } = await scene()
  const token = await inStore(store.id, async (tx) => {
    const mine = await openCart(tx, { customerId, cartToken: null })
    await put(tx, mine.id, few, 2)
    const theirs = await openCart(tx, { customerId: null, cartToken: null })
    await put(tx, theirs.id, few, 2)
    await put(tx, theirs.id, many, 4)
    await put(tx, theirs.id, endless, 9)
    return theirs.token ?? ''
  })

  for (const _ of [1, 2]) await inStore(store.id, (tx) => mergeCart(tx, { cartToken: token, customerId }))

  assert.deepEqual(await quantitiesOf(store.id, customerId), { [few]: 3, [many]: 4, [endless]: 9 })
})

test('concurrent merges of one token merge it once', async () => {
  const { store, customerId, many } = await scene()
  const token = await inStore(store.id, async (tx) => {
    const theirs = await openCart(tx, { customerId: null, cartToken: null })
    await put(tx, theirs.id, many, 4)
    return theirs.token ?? ''
  })

  await Promise.all(
    Array.from({ length: 8 }, () =>
      inStore(store.id, (tx) => mergeCart(tx, { cartToken: token, customerId })),
    ),
  )

  assert.deepEqual(await quantitiesOf(store.id, customerId), { [many]: 4 })
})

test('an unknown, foreign or expired token changes nothing', async () => {
  const { store, customerId, many } = await scene()
  const other = await buildStore()
  const token = await inStore(store.id, async (tx) => {
    const theirs = await openCart(tx, { customerId: null, cartToken: null })
    await put(tx, theirs.id, many, 4)
    return theirs.token ?? ''
  })

  await inStore(store.id, (tx) => mergeCart(tx, { cartToken: 'nobody', customerId }))
  await inStore(other.id, (tx) => mergeCart(tx, { cartToken: token, customerId }))
  moveClock(31 * 24 * 3600 * 1000)
  await inStore(store.id, (tx) => mergeCart(tx, { cartToken: token, customerId }))

  assert.deepEqual(await quantitiesOf(store.id, customerId), {})
})
