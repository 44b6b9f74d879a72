import type { Actor } from '#shared/orders/actor.ts'
import { changeOrderStatus } from '#shared/orders/change-order-status.ts'
import { lockOrder } from '#shared/orders/lock-order.ts'
import { noteOrder } from '#shared/orders/note-order.ts'
import type { Order } from '#shared/orders/order.ts'
import type { OrderStatus } from '#shared/orders/states.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { RefundErrors } from './errors.ts'
import { findUnderWay } from './find-refund.ts'
import type { Refund } from './refund.ts'
import { refundRemainder } from './request-refund.ts'

export interface OrderAmendment {
  status?: OrderStatus | undefined
  note?: string | undefined
}

/**
 * Changes what staff may change of an order. `refunded` is no mere status: it begins a refund of all that is left, and
 * the order takes the status when the money is back. Returns that refund; null when there is none to wait for.
 */
export async function amendOrder(
  tx: StoreTx,
  orderId: string,
  { status, note }: OrderAmendment,
  { actor, ifMatch }: { actor: Actor; ifMatch: string | undefined },
): Promise<Refund | null> {
  const order = await lockOrder(tx, orderId)
  assertUnchanged(order, ifMatch)
  if (status === 'refunded') return refundRemainder(tx, orderId, actor, note)
  if (status && status !== order.status) {
    if (LEAVES_THE_HOUSE.has(status)) await assertNotBeingRefunded(tx, order)
    await changeOrderStatus(tx, orderId, status, actor, note)
  } else if (note) await noteOrder(tx, order, note, actor)
  return null
}

const LEAVES_THE_HOUSE: ReadonlySet<OrderStatus> = new Set(['shipped', 'complete'])

/** Goods whose whole price is on its way back to the buyer stay: `refund.in_progress`. */
async function assertNotBeingRefunded(tx: StoreTx, order: Order): Promise<void> {
  const refund = await findUnderWay(tx, order.id)
  if (refund && refund.amountMinor >= order.refundableMinor) throw RefundErrors.inProgress()
}
