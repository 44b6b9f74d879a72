import { now } from '../platform/clock.ts'
import { toMajor } from '../platform/money.ts'
import { VoucherErrors } from './errors.ts'
import type { Voucher } from './voucher.ts'

/** Throws why a voucher cannot be spent now: `voucher.inactive`, `voucher.expired`, `voucher.empty`. */
export function assertUsable({ isActive, expiresAt, remainingMinor }: Voucher): void {
  if (!isActive) throw VoucherErrors.inactive()
  if (expiresAt && expiresAt <= now()) throw VoucherErrors.expired()
  if (remainingMinor === 0n) throw VoucherErrors.empty()
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
