import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { addCartItem } from '#shared/cart/items/add-cart-item.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'
import { runScheduled } from '#test/support/processes/jobs.ts'
import { purgeCarts } from '#workers/cart/purge-carts.ts'

const DAY_MS = 24 * 3600 * 1000

test("expired guest carts are deleted, customers' carts are kept", async () => {
  const stores = [await buildStore(), await buildStore()]
  for (const store of stores) {
    const { variants } = await buildProduct(store)
    const { id } = await buildCustomer(store)
    for (const customerId of [null, id])
      await inStore(store.id, (tx) =>
        addCartItem(tx, { customerId, cartToken: null }, { variantId: variants[0]?.id ?? '', quantity: 1 }),
      )
  }
  const run = () => runScheduled(purgeCarts)
  const left = () =>
    Promise.all(
      stores.map((store) =>
        inStore(store.id, async (tx) => [
          (await tx.knex('carts').select('id')).length,
          (await tx.knex('cart_items').select('id')).length,
        ]),
      ),
    )

  await run()
  assert.deepEqual(await left(), [
    [2, 2],
    [2, 2],
  ])
  moveClock(31 * DAY_MS)
  await run()
  assert.deepEqual(await left(), [
    [1, 1],
    [1, 1],
  ])
})
