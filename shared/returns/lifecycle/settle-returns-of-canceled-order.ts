import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { lockReturn, Return } from '#shared/returns/return.ts'
import { completeIfSettled } from './complete-if-settled.ts'

/** Completes the received returns of a canceled order whose units are in stock. Nothing was paid for them. */
export async function settleReturnsOfCanceledOrder(tx: StoreTx, orderId: string): Promise<void> {
  const received = await Return.in(tx).where({ order_id: orderId, status: 'received' }).orderBy('id')
  for (const { id } of received) await completeIfSettled(tx, await lockReturn(tx, id), 'system')
}
