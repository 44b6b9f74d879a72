import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import { readInPieces } from '#shared/platform/db/read-in-pieces.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildLargeOrders } from '#test/support/builders/large-orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { countQueries } from '#test/support/measure/count-queries.ts'

const LINES = 1_000

test('rows are read in pieces of 2,000, each once and in sequence', async () => {
  const store = await buildStore()
  const ids = await buildLargeOrders(store, { count: 5, lines: LINES })
  let rows: OrderItem[] = []

  const statements = await inStore(store.id, (tx) =>
    countQueries(async () => {
      rows = await readInPieces(OrderItem.in(tx).whereIn('order_id', ids), ['orderId', 'position', 'id'])
    }),
  )

  // The first order has the line that was copied, too.
  assert.equal(rows.length, 5 * LINES + 1)
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
  const sorted = rows.toSorted((a, b) => compare(a.orderId, b.orderId) || a.position - b.position)
  assert.deepEqual(
    rows.map(({ orderId, position }) => ({ orderId, position })),
    sorted.map(({ orderId, position }) => ({ orderId, position })),
  )
  assert.equal(statements, 3)
})

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
