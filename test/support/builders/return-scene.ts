import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import type { GivenOrder } from '#test/support/builders/captured-order.ts'
import { buildReceivedReturn, buildShippedOrder } from '#test/support/builders/returns.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { type RequestOptions, request } from '#test/support/processes/app.ts'

/** Does not wait for the refund (RFC 7240). */
export const AT_ONCE = { prefer: 'respond-async' }

/** A store with a shipped order of a customer, and calls by the customer and by staff. */
export async function buildReturnScene(given: GivenOrder = {}, role = 'accounting') {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const order = await buildShippedOrder(store, { customerId: customer.id, ...given })
  const { token } = await buildStaff(store, { role })
  const staff = (line: string, more: RequestOptions = {}) => request(line, { token, ...more })
  const buyer = (line: string, more: RequestOptions = {}) =>
    request(line, { store, token: customer.token, ...more })
  const asked = (quantity = 1, more: object = {}) => ({
    order_id: order.id,
    items: [{ order_item_id: order.lines[0]?.id, quantity, reason: 'defective' }],
    ...more,
  })
  return { store, customer, order, staff, buyer, asked }
}

/** A received return of one unit. */
export async function buildReceivedScene(
  given: GivenOrder = {},
  back: Parameters<typeof buildReceivedReturn>[2] = {},
) {
  const here = await buildReturnScene(given)
  const built = await buildReceivedReturn(here.store, here.order, back)
  const step = (name: string, more: RequestOptions = {}) =>
    here.staff(`POST /admin/returns/${built.id}/${name}`, { key: newId(), ...more })
  const status = async () => (await here.staff(`GET /admin/returns/${built.id}`)).data.status
  return { ...here, built, step, status }
}

/** The types of the events of a return, oldest first. */
export const returnEventsOf = (store: { id: string }, returnId: string): Promise<string[]> =>
  inStore(store.id, (tx) =>
    tx
      .knex('events')
      .whereRaw(`type like 'return.%' and data ->> 'id' = ?`, [returnId])
      .orderBy('position')
      .pluck('type'),
  )
