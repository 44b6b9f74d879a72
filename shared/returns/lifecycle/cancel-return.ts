import { customerActor, type OrderActor } from '#shared/orders/actor.ts'
import type { Buyer } from '#shared/orders/buyers/buyer.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findReturnOfBuyer, lockReturn, type Return } from '#shared/returns/return.ts'
import { transitionReturn } from './transition-return.ts'

/** Cancels a return before its goods arrive. Throws `resource.not_found`, and `return.invalid_transition`. */
export async function cancelReturn(tx: StoreTx, returnId: string, actor: OrderActor): Promise<Return> {
  const locked = await lockReturn(tx, returnId)
  return (await transitionReturn(tx, locked, { to: 'canceled', actor })).rma
}

/** Cancels a return of the buyer's order. Throws `resource.not_found` for another buyer's return. */
export async function cancelOwnReturn(tx: StoreTx, returnId: string, buyer: Buyer): Promise<void> {
  await findReturnOfBuyer(tx, returnId, buyer)
  const locked = await lockReturn(tx, returnId)
  await transitionReturn(tx, locked, { to: 'canceled', actor: customerActor(locked.order.customerId) })
}
