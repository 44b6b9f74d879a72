import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { VoucherRedemption } from '#shared/vouchers/voucher-redemption.ts'

/** Finds the voucher that pays an order in full or in part, if one does. */
export const findPayingVoucher = async (tx: StoreTx, orderId: string): Promise<Voucher | undefined> =>
  Voucher.in(tx).whereIn('id', redemptionsOf(tx).where('order_id', orderId).select('voucher_id')).first()

/** Returns the ids of the orders that vouchers of `orderId` pay, bought with it or issued for it. */
export async function findOrderIdsPaidByVouchersOf(tx: StoreTx, orderId: string): Promise<string[]> {
  const vouchers = Voucher.in(tx).where('order_id', orderId).select('id')
  const redemptions = await redemptionsOf(tx).whereIn('voucher_id', vouchers).orderBy('order_id')
  return redemptions.map((redemption) => redemption.orderId)
}

const redemptionsOf = (tx: StoreTx) => VoucherRedemption.in(tx).whereNot('state', 'released')
