import type { LockedOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { isPaidBack, Refund } from '#shared/refunds/refund.ts'
import { listOrderRefundsInProgress } from '#shared/refunds/refunds-in-progress.ts'
import { sumWithdrawnPrices } from '#shared/vouchers/redemptions/voucher-withdrawal.ts'
import { withdrawFromBoughtVouchers } from './withdraw-from-bought-vouchers.ts'

/**
 * Withdraws the voucher prices that the other refunds of an order pay. Call it after a failed refund has given vouchers
 * back: another refund may have paid the same prices, e.g. a lost dispute, and withdrew nothing because they were
 * already withdrawn.
 */
export async function withdrawForOtherRefunds(tx: StoreTx, order: LockedOrder): Promise<void> {
  const booked = await Refund.in(tx).where('order_id', order.id).where(isPaidBack)
  const others = [...booked, ...(await listOrderRefundsInProgress(tx, order))]
  // Refunds by the gateway or a bank withdraw first. Those of the store come last, because staff chose what they pay
  // for, e.g. goods.
  for (const refund of others.toSorted((one, other) => rankOf(one) - rankOf(other)))
    await withdrawFromBoughtVouchers(tx, order, refund, await notWithdrawnMinor(tx, refund))
}

const rankOf = ({ origin }: Refund): number => (origin === 'store' ? 1 : 0)

/** Returns the part of a refund of the order that withdrew no voucher price. */
async function notWithdrawnMinor(
  tx: StoreTx,
  { id, isInProgress, hasFailed, beyondSurplusMinor, keptMinor, excessMinor }: Refund,
): Promise<bigint> {
  const paidMinor = hasFailed ? keptMinor : beyondSurplusMinor
  return paidMinor - (isInProgress ? 0n : excessMinor) - (await sumWithdrawnPrices(tx, id))
}
