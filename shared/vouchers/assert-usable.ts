import type { CodedError } from '#shared/platform/errors.ts'
import { toMajor } from '#shared/platform/money.ts'
import { now } from '#shared/platform/time/clock.ts'
import { VoucherErrors } from './errors.ts'
import type { Voucher } from './voucher.ts'

/** Why a voucher cannot be spent now: `voucher.inactive`, `voucher.expired`, `voucher.empty`; null when it can. */
export function whyUnusable({ isActive, expiresAt, remainingMinor }: Voucher): CodedError | null {
  if (!isActive) return VoucherErrors.inactive()
  if (expiresAt && expiresAt <= now()) return VoucherErrors.expired()
  return remainingMinor === 0n ? VoucherErrors.empty() : null
}

/** Throws why a voucher cannot be spent now. */
export function assertUsable(voucher: Voucher): void {
  const refusal = whyUnusable(voucher)
  if (refusal) throw refusal
}

/** Throws `voucher.insufficient_balance` unless so much is left of a voucher. */
export function assertCovers({ remainingMinor, currency }: Voucher, neededMinor: bigint): void {
  if (remainingMinor >= neededMinor) return
  throw VoucherErrors.insufficientBalance({
    remaining: toMajor(remainingMinor, currency),
    needed: toMajor(neededMinor, currency),
    currency,
  })
}
