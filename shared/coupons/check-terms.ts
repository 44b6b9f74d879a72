import { checkReferences } from '#shared/catalog/check-references.ts'
import { Product } from '#shared/catalog/product.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { parseDecimal, toMinor } from '#shared/platform/money.ts'
import { invalid, ValidationError } from '#shared/platform/validation.ts'
import type { CouponTerms, CouponType } from './coupon.ts'

const AT_VALUE = ['value']
const WHOLE = 10_000n

/** A value as it is kept: percent with two decimals at most, or an amount at the currency's precision. Else 422. */
export function minorValue(type: CouponType, value: number, currency: string): bigint {
  if (type === 'fixed') return toMinor(value, currency, AT_VALUE)
  const hundredths = parseDecimal(String(value), 2)
  if (hundredths === null) throw invalid(AT_VALUE, 'Use at most 2 decimals for a percentage', value)
  if (hundredths > WHOLE) throw invalid(AT_VALUE, 'A percentage is 100 at most', value)
  return hundredths
}

/** Refuses (422) terms that do not fit together. */
export function checkTerms({ value, freeShipping, startsAt, endsAt }: CouponTerms): void {
  if (value === 0n && !freeShipping)
    throw invalid(AT_VALUE, 'A coupon takes something off, or gives free shipping', 0)
  if (startsAt && endsAt && endsAt <= startsAt)
    throw invalid(['ends_at'], 'A coupon ends after it starts', endsAt.toISOString())
}

/** Refuses (422) products and categories that this store has not. */
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
