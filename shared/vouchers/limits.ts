import { toMajor } from '#shared/platform/money.ts'
import { VoucherErrors } from './errors.ts'

/** What a bought voucher may be worth, in minor units of any currency: 1 to 10,000 of one with two decimals. */
const LEAST_SOLD_MINOR = 100n
const MOST_SOLD_MINOR = 1_000_000n

/** Throws `voucher.amount_out_of_range` for a voucher of an amount that is not sold. Staff issue any. */
export function assertSellable(amountMinor: bigint, currency: string): void {
  if (amountMinor >= LEAST_SOLD_MINOR && amountMinor <= MOST_SOLD_MINOR) return
  throw VoucherErrors.amountOutOfRange({
    least: toMajor(LEAST_SOLD_MINOR, currency),
    most: toMajor(MOST_SOLD_MINOR, currency),
    currency,
  })
}
