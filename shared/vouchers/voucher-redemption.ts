import { StoreModel } from '#shared/platform/db/model.ts'
import type { RedemptionState } from './states.ts'

/** The part of an order that vouchers need. With `voucherMinor` 0 no query is necessary. */
export interface PayingOrder {
  id: string
  voucherMinor: bigint
}

/** The part of a voucher's balance that pays an order; at most one for each order. Amounts in minor units. */
export class VoucherRedemption extends StoreModel {
  static override tableName = 'voucher_redemptions'

  declare orderId: string
  declare voucherId: string
  declare state: RedemptionState
  declare amountMinor: bigint
  /** The amount that refunds of the order returned to the voucher. */
  declare refundedMinor: bigint
  declare createdAt: Date
  declare updatedAt: Date
}
