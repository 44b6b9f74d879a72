import { StoreModel } from '#shared/platform/db/model.ts'

/** What a refund of an order took off a voucher that was bought with it. Amounts in minor units. */
export class VoucherWithdrawal extends StoreModel {
  static override tableName = 'voucher_withdrawals'

  declare refundId: string
  declare voucherId: string
  /** What of the voucher's price goes back to its buyer. */
  declare priceMinor: bigint
  /** What that took off its balance: less, where some was spent already. */
  declare amountMinor: bigint
  /** It was active, and this took it out of use: no price was left. */
  declare endsUse: boolean
  /** The refund failed: the voucher has it again. */
  declare isUndone: boolean
  declare createdAt: Date
}
