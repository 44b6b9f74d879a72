import { StoreModel } from '#shared/platform/db/model.ts'

/** Money that a store owes whoever holds its code. Amounts in minor units of `currency`; the ledger alone changes them. */
export class Voucher extends StoreModel {
  static override tableName = 'vouchers'

  declare code: string
  /** The form in which codes are compared; unique in the store. */
  declare codeKey: string
  declare currency: string
  declare amountMinor: bigint
  /** What orders that wait for their payment have of it. */
  declare reservedMinor: bigint
  /** What paid orders took, less what their refunds put back. */
  declare spentMinor: bigint
  declare fromName: string
  declare fromEmail: string
  declare toName: string
  declare toEmail: string
  declare message: string
  /** BCP 47: what its mail is written in; null for the store's default. */
  declare language: string | null
  declare voucherThemeId: string | null
  /** The order that it belongs to; null for one issued by hand. */
  declare orderId: string | null
  /** The line it was bought by; null for one that was not bought. */
  declare orderItemId: string | null
  /** Bought, and not paid for yet. */
  declare awaitsPayment: boolean
  declare isActive: boolean
  declare expiresAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date

  get remainingMinor(): bigint {
    return this.amountMinor - this.reservedMinor - this.spentMinor
  }
}
