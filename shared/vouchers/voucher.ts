import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import type { Metadata } from '#shared/platform/http/metadata.ts'
import { hashCode, voucherCodes } from '#shared/vouchers/codes/sealed-code.ts'
import { VoucherErrors } from './errors.ts'
import { VoucherTheme } from './voucher-theme.ts'

/**
 * A gift voucher. Anyone with its code can spend it. Amounts are in minor units of `currency`. Only ledger entries
 * change them.
 */
export class Voucher extends StoreModel {
  static override tableName = 'vouchers'
  static override jsonAttributes = ['metadata']

  /** The code, encrypted. */
  declare sealedCode: string
  /** The hash of the code's `codeKey`, unique in the store. */
  declare codeHash: Buffer
  /** The last letters of the code's `codeKey`; '' for a short code. */
  declare codeEnd: string
  declare currency: string
  declare amountMinor: bigint
  /** The amount that orders awaiting payment have reserved. */
  declare reservedMinor: bigint
  /** The amount that paid orders have spent, less their refunds. */
  declare spentMinor: bigint
  declare fromName: string
  declare fromEmail: string
  declare toName: string
  declare toEmail: string
  declare message: string
  /** The language of its mail (BCP 47); null for the store's default. */
  declare language: string | null
  declare voucherThemeId: string | null
  /** The order that it was bought with or issued for, if any. */
  declare orderId: string | null
  /** The order line that bought it; null if it was not bought. */
  declare orderItemId: string | null
  /** Whether it was bought but is not paid yet. */
  declare awaitsPayment: boolean
  declare isActive: boolean
  /** Whether a dispute of its order forbids spending it (see shared/disputes/record-dispute.ts). */
  declare isDisputed: boolean
  declare metadata: Metadata
  declare expiresAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date

  /** The whole code. Show it only in the mail of the voucher and to staff with the right to sales. */
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

/** Returns a voucher of the store by its id. Throws `resource.not_found` if it does not exist. */
export async function findVoucher(tx: StoreTx, voucherId: string): Promise<VoucherWithTheme> {
  const voucher = assertFound(await Voucher.in(tx).findById(voucherId))
  const [whole] = await withThemes(tx, [voucher])
  return whole as VoucherWithTheme
}

/**
 * Returns an active voucher by its code. Throws `voucher.not_found` for an unknown or inactive voucher, and while its
 * order is disputed, so that callers cannot tell these apart.
 */
export async function findVoucherByCode(tx: StoreTx, code: string): Promise<VoucherWithTheme> {
  const codeHash = await hashCode(tx, code)
  const voucher = codeHash && (await Voucher.in(tx).findOne({ ...CAN_BE_SPENT, code_hash: codeHash }))
  if (!voucher) throw VoucherErrors.notFound()
  const [whole] = await withThemes(tx, [voucher])
  return whole as VoucherWithTheme
}

/** Reads and locks a voucher. Throws `resource.not_found` if it does not exist. */
export async function lockVoucher(tx: StoreTx, voucherId: string): Promise<Voucher> {
  return assertFound(await Voucher.in(tx).findById(voucherId).forNoKeyUpdate())
}
