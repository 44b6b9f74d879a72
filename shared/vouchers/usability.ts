import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { CodedError } from '#shared/platform/errors.ts'
import { toMajor } from '#shared/platform/money.ts'
import { now } from '#shared/platform/time/clock.ts'
import { hashCode } from '#shared/vouchers/codes/sealed-code.ts'
import { VoucherErrors } from './errors.ts'
import { Voucher } from './voucher.ts'

/**
 * Returns the error of a voucher that cannot be spent now, else null: `voucher.inactive` (also while its order is
 * disputed), `voucher.expired` or `voucher.empty`.
 */
export function usabilityError(voucher: Voucher): CodedError | null {
  const { isActive, isDisputed, expiresAt, remainingMinor } = voucher
  if (!isActive || isDisputed) return VoucherErrors.inactive()
  if (expiresAt && expiresAt <= now()) return VoucherErrors.expired()
  return remainingMinor === 0n ? VoucherErrors.empty() : null
}

/** Throws the `usabilityError` of a voucher. */
export function assertUsable(voucher: Voucher): void {
  const error = usabilityError(voucher)
  if (error) throw error
}

/** Throws `voucher.insufficient_balance` if the balance of a voucher is below the amount. */
export function assertCovers({ remainingMinor, currency }: Voucher, neededMinor: bigint): void {
  if (remainingMinor >= neededMinor) return
  throw VoucherErrors.insufficientBalance({
    remaining: toMajor(remainingMinor, currency),
    needed: toMajor(neededMinor, currency),
    currency,
  })
}

/**
 * Finds a voucher by its code and locks it, so that its balance can be reserved. Throws `voucher.not_found`,
 * `voucher.currency_mismatch`, `voucher.inactive`, `voucher.expired` and `voucher.empty`.
 */
export async function lockUsableVoucher(tx: StoreTx, code: string, currency: string): Promise<Voucher> {
  const codeHash = await hashCode(tx, code)
  const voucher = codeHash && (await Voucher.in(tx).findOne('code_hash', codeHash).forNoKeyUpdate())
  if (!voucher) throw VoucherErrors.notFound()
  if (voucher.currency !== currency) throw VoucherErrors.currencyMismatch({ currency: voucher.currency })
  assertUsable(voucher)
  return voucher
}
