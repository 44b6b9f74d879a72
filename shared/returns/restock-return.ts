import { restockUnits } from '#shared/inventory/restock-units.ts'
import type { Actor } from '#shared/orders/actor.ts'
import { addOrderNote } from '#shared/orders/order-history.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { ReturnErrors } from './errors.ts'
import { lockReturn } from './lock-return.ts'
import { noteSettling } from './note-settling.ts'
import type { Return } from './return.ts'
import { ReturnItem } from './return-item.ts'

/**
 * Puts the units of a received return that are to be sold again back on the shelf, once. Units that a refund put back
 * before are not counted twice. Throws 404, 409 `return.not_received` and `return.nothing_to_restock`.
 */
export async function restockReturn(tx: StoreTx, returnId: string, actor: Actor): Promise<Return> {
  const locked = await lockReturn(tx, returnId)
  const { rma, order } = locked
  if (!rma.receivedAt) throw ReturnErrors.notReceived({ status: rma.status })
  const waiting = await ReturnItem.in(tx).where({ return_id: returnId, disposition: 'restocked' })
  if (rma.restockedAt || waiting.length === 0) throw ReturnErrors.nothingToRestock()

  await restockUnits(tx, order.id, await unitsByVariant(tx, waiting))
  await addOrderNote(tx, order, `Return ${rma.number} put back on sale`, actor)
  await noteSettling(tx, locked, { restockedAt: now() }, actor)
  return rma
}

/** How many units of each variant; those of a variant that is no more have no shelf to go to. */
async function unitsByVariant(tx: StoreTx, items: ReturnItem[]) {
  const lines = await OrderItem.in(tx).whereIn(
    'id',
    items.map(({ orderItemId }) => orderItemId),
  )
  const units = new Map<string, number>()
  for (const { orderItemId, quantity } of items) {
    const variantId = lines.find(({ id }) => id === orderItemId)?.variantId
    if (variantId) units.set(variantId, (units.get(variantId) ?? 0) + quantity)
  }
  return [...units].map(([variantId, quantity]) => ({ variantId, quantity }))
}
