import { type Actor, customerActor } from '#shared/orders/history/actor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { lockReturn, type Return } from './return.ts'
import { transitionReturn } from './transition-return.ts'

/** Cancels a return before its goods arrive. Throws 404, and 409 `return.invalid_transition`. */
export async function cancelReturn(tx: StoreTx, returnId: string, actor: Actor): Promise<Return> {
  const locked = await lockReturn(tx, returnId)
  return (await transitionReturn(tx, locked, { to: 'canceled', actor })).rma
}

/** Cancels a customer's own return. Another customer's: 404. */
export async function cancelOwnReturn(tx: StoreTx, returnId: string, customerId: string): Promise<void> {
  const locked = await lockReturn(tx, returnId, { customerId })
  await transitionReturn(tx, locked, { to: 'canceled', actor: customerActor(customerId) })
}
