import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { approveReturn } from '#shared/returns/lifecycle/approve-return.ts'
import { receiveReturn } from '#shared/returns/lifecycle/receive-return.ts'
import { requestReturn } from '#shared/returns/request/request-return.ts'
import { ReturnItem } from '#shared/returns/return-item.ts'
import type { Disposition, ReturnAction } from '#shared/returns/states.ts'
import {
  buildCapturedOrder,
  type CapturedOrder,
  type GivenOrder,
} from '#test/support/builders/captured-order.ts'

/** A paid and shipped order. Default: two units of 10.00 and shipping of 5.00. */
export async function buildShippedOrder(
  store: { id: string },
  given: GivenOrder = {},
): Promise<CapturedOrder> {
  const order = await buildCapturedOrder(store, given)
  await inStore(store.id, (tx) => changeOrderStatus(tx, order.id, 'shipped', 'system'))
  return order
}

export interface BuiltReturn {
  id: string
  number: string
  itemIds: string[]
}

interface GivenReturn {
  /** Units of each line, in the lines' order. Default: one unit of the first line. */
  units?: number[]
  action?: ReturnAction
}

/** A requested return. */
export const buildReturn = (
  store: { id: string },
  order: Pick<CapturedOrder, 'id' | 'lines'>,
  { units = [1], action = 'refund' }: GivenReturn = {},
): Promise<BuiltReturn> =>
  inStore(store.id, async (tx) => {
    const items = units.flatMap((quantity, index) => {
      const line = { orderItemId: order.lines[index]?.id ?? '', condition: null, note: null }
      return quantity ? [{ ...line, quantity, reason: 'unwanted' as const }] : []
    })
    const { id, number } = await requestReturn(tx, order.id, { action, comment: null, items }, 'system')
    const built = await ReturnItem.in(tx).where('return_id', id).orderBy('position')
    return { id, number, itemIds: built.map((item) => item.id) }
  })

/** A received return; all its goods have the same disposition. */
export async function buildReceivedReturn(
  store: { id: string },
  order: Pick<CapturedOrder, 'id' | 'lines'>,
  { disposition = 'restocked', ...given }: GivenReturn & { disposition?: Disposition } = {},
): Promise<BuiltReturn> {
  const built = await buildReturn(store, order, given)
  const arrivals = built.itemIds.map((itemId) => ({
    itemId,
    quantity: undefined,
    disposition,
    condition: undefined,
  }))
  await inStore(store.id, async (tx) => {
    await approveReturn(tx, built.id, null, 'system')
    await receiveReturn(tx, built.id, arrivals, 'system')
  })
  return built
}
