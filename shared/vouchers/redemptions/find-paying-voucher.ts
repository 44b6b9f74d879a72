import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
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

/** Returns the ids of the orders that a voucher pays. */
export const findOrderIdsPaidBy = async (tx: StoreTx, voucherId: string): Promise<string[]> =>
  (await redemptionsOf(tx).where('voucher_id', voucherId).orderBy('order_id')).map(({ orderId }) => orderId)

/** SQL: the ids of the current store's orders that a disputed voucher pays. */
export const ORDERS_OF_DISPUTED_VOUCHERS = `
  select r.order_id from vouchers v join voucher_redemptions r on r.store_id = v.store_id and r.voucher_id = v.id
  where v.store_id = ${CURRENT_STORE} and v.is_disputed and r.status <> 'released'`

const redemptionsOf = (tx: StoreTx) => VoucherRedemption.in(tx).whereNot('status', 'released')
