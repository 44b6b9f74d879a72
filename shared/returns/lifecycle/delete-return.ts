import type { OrderActor } from '#shared/orders/actor.ts'
import { addHistoryNote } from '#shared/orders/order-step.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { ReturnErrors } from '#shared/returns/errors.ts'
import { lockReturn, Return } from '#shared/returns/return.ts'
import { type ReturnStatus, VOID_RETURN_STATUSES } from '#shared/returns/states.ts'

/** In these statuses no goods, money or stock have moved. */
const DELETABLE: readonly ReturnStatus[] = ['requested', ...VOID_RETURN_STATUSES]

/**
 * Deletes a return before its approval or after its rejection or cancellation. The buyer gets no mail. Throws
 * `resource.not_found`, `return.in_use`.
 */
export async function deleteReturn(tx: StoreTx, returnId: string, actor: OrderActor): Promise<void> {
  const { rma, order } = await lockReturn(tx, returnId)
  if (!DELETABLE.includes(rma.status)) throw ReturnErrors.inUse({ status: rma.status })
  await Return.in(tx).findById(returnId).delete()
  await addHistoryNote(tx, order, `Return ${rma.number} deleted`, actor, { returnId: rma.id })
}
