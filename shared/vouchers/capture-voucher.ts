import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { endReservation } from './end-reservation.ts'
import { emitRedemption, voucherRedeemed } from './events.ts'
import type { PayingOrder } from './voucher-redemption.ts'

/**
 * Takes what an order, which the caller has locked and which is paid now, has reserved of its voucher: once, however
 * often it is asked for. Returns the amount in minor units; 0 when there was nothing reserved.
 */
export async function captureVoucher(tx: StoreTx, order: PayingOrder): Promise<bigint> {
  const redemption = await endReservation(tx, order, 'captured')
  if (!redemption) return 0n
  await emitRedemption(tx, voucherRedeemed, redemption)
  return redemption.amountMinor
}
