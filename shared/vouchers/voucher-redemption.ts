import { StoreModel } from '#shared/platform/db/model.ts'
import type { RedemptionStatus } from './states.ts'

/** The order's fields that vouchers need. If `voucherMinor` is 0, no query is necessary. */
export interface PayingOrder {
  id: string
  voucherMinor: bigint
}

/** The part of a voucher's balance that pays an order. Each order has at most one. Amounts are in minor units. */
export class VoucherRedemption extends StoreModel {
  static override tableName = 'voucher_redemptions'

  declare orderId: string
  declare voucherId: string
  declare status: RedemptionStatus
  declare amountMinor: bigint
  /** The amount that refunds of the order returned to the voucher. */
  declare refundedMinor: bigint
  declare createdAt: Date
  declare updatedAt: Date
}
