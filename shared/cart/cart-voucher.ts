import { StoreModel } from '#shared/platform/db/model.ts'
import type { Gift } from '#shared/vouchers/gift.ts'
import { themeImageSql } from '#shared/vouchers/voucher-theme.ts'

/** A gift voucher to buy, as a line of a cart. The amount is in minor units of the store's currency. */
export class CartVoucher extends StoreModel {
  static override tableName = 'cart_vouchers'

  declare cartId: string
  declare amountMinor: bigint
  declare fromName: string
  declare fromEmail: string
  declare toName: string
  declare toEmail: string
  declare message: string
  declare voucherThemeId: string | null
  declare createdAt: Date
}

export interface VoucherLine extends Gift, Pick<CartVoucher, 'id' | 'amountMinor'> {
  /** The picture of its theme. */
  imageUrl: string | null
}

/** The columns of a `VoucherRow`, for a `cart_vouchers` row aliased `g`. */
export const VOUCHER_ROW = `g.id, g.amount_minor as "amountMinor", g.from_name as "fromName", g.from_email as "fromEmail",
  g.to_name as "toName", g.to_email as "toEmail", g.message, g.voucher_theme_id as "voucherThemeId",
  ${themeImageSql('g')} as "imageUrl"`

/** A line as JSON. Its amount is a number, which is exact (see `Money`). */
export interface VoucherRow extends Omit<VoucherLine, 'amountMinor'> {
  amountMinor: number
}

export const toVoucherLine = ({ amountMinor, ...row }: VoucherRow): VoucherLine => ({
  ...row,
  amountMinor: BigInt(amountMinor),
})
