import type { Actor } from '#shared/orders/actor.ts'
import { addOrderNote } from '#shared/orders/order-history.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { ReturnErrors } from './errors.ts'
import { lockReturn } from './lock-return.ts'
import { Return } from './return.ts'
import { CALLED_OFF, type ReturnStatus } from './states.ts'

/** Nothing was promised to anybody, and nothing moved. */
const DELETABLE: readonly ReturnStatus[] = ['requested', ...CALLED_OFF]

/** Removes a return that came to nothing. Nobody is told: to turn a buyer down, reject it. Throws 404, 409 `return.in_use`. */
export async function deleteReturn(tx: StoreTx, returnId: string, actor: Actor): Promise<void> {
  const { rma, order } = await lockReturn(tx, returnId)
  if (!DELETABLE.includes(rma.status)) throw ReturnErrors.inUse({ status: rma.status })
  await Return.in(tx).findById(returnId).delete()
  await addOrderNote(tx, order, `Return ${rma.number} deleted`, actor)
}
