import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import type { Metadata } from '#shared/platform/http/metadata.ts'
import { hashCode, voucherCodes } from '#shared/vouchers/codes/sealed-code.ts'
import { VoucherErrors } from './errors.ts'
import { VoucherTheme } from './voucher-theme.ts'

/**
 * A gift voucher: anyone with its code can spend it. Amounts in minor units of `currency`; only ledger entries change
 * them.
 */
export class Voucher extends StoreModel {
  static override tableName = 'vouchers'
  static override jsonAttributes = ['metadata']

  /** The code, encrypted. */
  declare sealedCode: string
  /** The hash of the code's compared form; unique in the store. */
  declare codeHash: Buffer
  /** The last letters of the code's compared form; '' for a short code. */
  declare codeEnd: string
  declare currency: string
  declare amountMinor: bigint
  /** Reserved by orders that await payment. */
  declare reservedMinor: bigint
  /** Spent by paid orders, less their refunds. */
  declare spentMinor: bigint
  declare fromName: string
  declare fromEmail: string
  declare toName: string
  declare toEmail: string
  declare message: string
  /** BCP 47: the language of its mail; null for the store's default. */
  declare language: string | null
  declare voucherThemeId: string | null
  /** The order that it was bought with or issued for, if any. */
  declare orderId: string | null
  /** The order line it was bought with; null when it was not bought. */
  declare orderItemId: string | null
  /** Bought, but not paid yet. */
  declare awaitsPayment: boolean
  declare isActive: boolean
  /** Nobody can spend it because of a dispute of its order: see shared/disputes/record-dispute.ts. */
  declare isDisputed: boolean
  declare metadata: Metadata
  declare expiresAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date

  /** The whole code. Only the buyer's mail and staff with the right to sales get it. */
  get code(): string {
    return voucherCodes.of(this).open(this.sealedCode)
  }

  get remainingMinor(): bigint {
    return this.amountMinor - this.reservedMinor - this.spentMinor
  }
}

const CAN_BE_SPENT = { is_active: true, is_disputed: false }

export interface VoucherWithTheme {
  voucher: Voucher
  theme: VoucherTheme | null
}

/** Adds the themes to vouchers that are already read, with one query. */
export async function withThemes(tx: StoreTx, vouchers: Voucher[]): Promise<VoucherWithTheme[]> {
  const ids = [...new Set(vouchers.flatMap(({ voucherThemeId }) => voucherThemeId ?? []))]
  const themes = ids.length ? await VoucherTheme.in(tx).whereIn('id', ids) : []
  return vouchers.map((voucher) => ({
    voucher,
    theme: themes.find(({ id }) => id === voucher.voucherThemeId) ?? null,
  }))
}

/** A voucher of the store by its id. Unknown: 404. */
export async function findVoucher(tx: StoreTx, voucherId: string): Promise<VoucherWithTheme> {
  const voucher = await Voucher.in(tx).findById(voucherId)
  if (!voucher) throw CommonErrors.notFound()
  const [whole] = await withThemes(tx, [voucher])
  return whole as VoucherWithTheme
}

/**
 * An active voucher by its code. An inactive one, or one whose order is disputed, is indistinguishable from an unknown
 * one: `voucher.not_found`.
 */
export async function findVoucherByCode(tx: StoreTx, code: string): Promise<VoucherWithTheme> {
  const codeHash = await hashCode(tx, code)
  const voucher = codeHash && (await Voucher.in(tx).findOne({ ...CAN_BE_SPENT, code_hash: codeHash }))
  if (!voucher) throw VoucherErrors.notFound()
  const [whole] = await withThemes(tx, [voucher])
  return whole as VoucherWithTheme
}

/** Reads and locks a voucher. Unknown: 404. */
export async function lockVoucher(tx: StoreTx, voucherId: string): Promise<Voucher> {
  const voucher = await Voucher.in(tx).findById(voucherId).forNoKeyUpdate()
  if (!voucher) throw CommonErrors.notFound()
  return voucher
}
