import { inStore } from '#shared/platform/db/store-scope.ts'
import { copyRows } from '#test/support/builders/copy-rows.ts'
import { buildOrder, type GivenOrder } from '#test/support/builders/orders.ts'

interface Size {
  count: number
  /** Of each order. */
  lines: number
}

/** Builds `count` orders of a store, each with `lines` lines. Returns their ids. */
export async function buildLargeOrders(
  store: { id: string },
  { count, lines }: Size,
  given: Partial<GivenOrder> = {},
): Promise<string[]> {
  const model = await buildOrder(store, { paymentMethod: 'bank_transfer', ...given })
  return inStore(store.id, async ({ knex }) => {
    const copies = await copyRows(knex, {
      table: 'orders',
      of: { id: model.id },
      from: `generate_series(1, ${count - 1}) n`,
      changes: `'number', number || '-' || n, 'access_token_hash', null`,
    })
    const ids = [model.id, ...copies]
    await copyRows(knex, {
      table: 'order_items',
      of: { order_id: model.id },
      from: `unnest(?::uuid[]) o, generate_series(1, ${lines}) l`,
      changes: `'order_id', o, 'position', l`,
      values: [ids],
    })
    return ids
  })
}
