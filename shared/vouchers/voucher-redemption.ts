import { StoreModel } from '#shared/platform/db/model.ts'
import type { RedemptionState } from './states.ts'

/** An order, as far as vouchers know of it. One that no voucher pays for needs nothing here, not even a look. */
export interface PayingOrder {
  id: string
  voucherMinor: bigint
}

/** What an order has of a voucher's balance. An order has one at most. Amounts in minor units. */
export class VoucherRedemption extends StoreModel {
  static override tableName = 'voucher_redemptions'

  declare orderId: string
  declare voucherId: string
  declare state: RedemptionState
  declare amountMinor: bigint
  /** What refunds of the order put back on the voucher. */
  declare refundedMinor: bigint
  declare createdAt: Date
  declare updatedAt: Date
}
