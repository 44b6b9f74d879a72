import { type Actor, customerActor } from '#shared/orders/actor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { lockReturn } from './lock-return.ts'
import { moveReturn } from './move-return.ts'
import type { Return } from './return.ts'

/** Calls a return off whose goods have not arrived. Throws 404, and 409 `return.invalid_transition`. */
export async function cancelReturn(tx: StoreTx, returnId: string, actor: Actor): Promise<Return> {
  const locked = await lockReturn(tx, returnId)
  await moveReturn(tx, locked, { to: 'canceled', actor })
  return locked.rma
}

/** The same by the customer whose return it is; another's is answered as an unknown one. */
export async function cancelOwnReturn(tx: StoreTx, returnId: string, customerId: string): Promise<void> {
  const locked = await lockReturn(tx, returnId, { customerId })
  await moveReturn(tx, locked, { to: 'canceled', actor: customerActor(customerId) })
}
