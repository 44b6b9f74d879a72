import { restockAtCommit } from '#shared/inventory/restock-at-commit.ts'
import type { OrderActor } from '#shared/orders/actor.ts'
import { findOrderItems, toVariantUnits } from '#shared/orders/order-item.ts'
import { addHistoryNote } from '#shared/orders/order-step.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { ReturnErrors } from '#shared/returns/errors.ts'
import { lockReturn, type Return } from '#shared/returns/return.ts'
import { ReturnItem } from '#shared/returns/return-item.ts'
import { recordReturnProgress } from './complete-if-settled.ts'

/**
 * Puts the sellable units of a received return back in stock once. Units that a refund has already restocked are not
 * added again. Throws `resource.not_found`, `return.not_received` and `return.nothing_to_restock`.
 */
export async function restockReturn(tx: StoreTx, returnId: string, actor: OrderActor): Promise<Return> {
  const locked = await lockReturn(tx, returnId)
  const { rma, order } = locked
  if (!rma.receivedAt) throw ReturnErrors.notReceived({ status: rma.status })
  const sellable = await ReturnItem.in(tx).where({ return_id: returnId, disposition: 'restocked' })
  if (rma.restockedAt || sellable.length === 0) throw ReturnErrors.nothingToRestock()

  const lines = await findOrderItems(tx, order.id)
  restockAtCommit(tx, order.id, toVariantUnits(lines, sellable), { onlyShipped: true })
  await addHistoryNote(tx, order, `Return ${rma.number} restocked`, actor, { returnId: rma.id })
  return recordReturnProgress(tx, locked, { restockedAt: now() }, actor)
}
