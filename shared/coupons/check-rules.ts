import { assertProducts, checkReferences } from '#shared/catalog/products/check-references.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { parseDecimal, toMinor } from '#shared/platform/money.ts'
import { assertEndsAfter, invalid } from '#shared/platform/validation.ts'
import type { CouponRules, CouponType } from './coupon.ts'

const VALUE_PATH = ['value']
const HUNDRED_PERCENT = 10_000n

/** Converts a coupon's value to hundredths of a percent or to minor units. Throws 422 for more decimals. */
export function toStoredValue(type: CouponType, value: number, currency: string): bigint {
  if (type === 'fixed') return toMinor(value, currency, VALUE_PATH)
  const hundredths = parseDecimal(String(value), 2)
  if (hundredths === null) throw invalid(VALUE_PATH, 'Use at most 2 decimals for a percentage', value)
  if (hundredths > HUNDRED_PERCENT) throw invalid(VALUE_PATH, 'Use at most 100', value)
  return hundredths
}

/** Throws 422 for rules that contradict each other. */
export function checkRules({ value, freeShipping, startsAt, endsAt }: CouponRules): void {
  if (value === 0n && !freeShipping)
    throw invalid(VALUE_PATH, 'A coupon needs a discount or free shipping', 0)
  assertEndsAfter(['ends_at'], startsAt, endsAt)
}

/** Throws 422 for unknown products and categories. */
export async function checkGoods(
  tx: StoreTx,
  { productIds = [], categoryIds = [] }: Partial<CouponRules>,
): Promise<void> {
  await checkReferences(tx, { categoryIds })
  await assertProducts(tx, productIds)
}
