import { checkReferences } from '#shared/catalog/check-references.ts'
import { Product } from '#shared/catalog/product.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { parseDecimal, toMinor } from '#shared/platform/money.ts'
import { invalid, ValidationError } from '#shared/platform/validation.ts'
import type { CouponTerms, CouponType } from './coupon.ts'

const VALUE_PATH = ['value']
const HUNDRED_PERCENT = 10_000n

/** Converts a value: hundredths of a percent, or minor units. Throws 422 for more decimals than that. */
export function minorValue(type: CouponType, value: number, currency: string): bigint {
  if (type === 'fixed') return toMinor(value, currency, VALUE_PATH)
  const hundredths = parseDecimal(String(value), 2)
  if (hundredths === null) throw invalid(VALUE_PATH, 'Use at most 2 decimals for a percentage', value)
  if (hundredths > HUNDRED_PERCENT) throw invalid(VALUE_PATH, 'A percentage is at most 100', value)
  return hundredths
}

/** Throws 422 for terms that contradict each other. */
export function checkTerms({ value, freeShipping, startsAt, endsAt }: CouponTerms): void {
  if (value === 0n && !freeShipping)
    throw invalid(VALUE_PATH, 'A coupon needs a discount or free shipping', 0)
  if (startsAt && endsAt && endsAt <= startsAt)
    throw invalid(['ends_at'], 'The end must be after the start', endsAt.toISOString())
}

/** Throws 422 for unknown products and categories. */
export async function checkGoods(
  tx: StoreTx,
  { productIds = [], categoryIds = [] }: Partial<CouponTerms>,
): Promise<void> {
  await checkReferences(tx, { categoryIds })
  if (productIds.length === 0) return
  const found = await Product.in(tx).findByIds(productIds).whereNull('deleted_at').select('id')
  const known = new Set(found.map(({ id }) => id))
  const faults = productIds.flatMap((id, i) =>
    known.has(id) ? [] : invalid(['product_ids', i], 'This store has no such product', id).faults,
  )
  if (faults.length) throw new ValidationError(faults)
}
