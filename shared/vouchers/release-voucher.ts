import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { endReservation } from './end-reservation.ts'
import { emitRedemption, voucherReleased } from './events.ts'
import type { PayingOrder } from './voucher-redemption.ts'

/**
 * Gives a voucher back what an order, which the caller has locked, reserved of it and did not pay for (interface
 * document, section 3): once, however often it is asked for. What was captured stays so; that is for a refund.
 */
export async function releaseVoucher(tx: StoreTx, order: PayingOrder): Promise<void> {
  const redemption = await endReservation(tx, order, 'released')
  if (redemption) await emitRedemption(tx, voucherReleased, redemption)
}
