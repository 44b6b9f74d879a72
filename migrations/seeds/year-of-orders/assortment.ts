import type { CartLine } from '#shared/cart/cart-line.ts'
import { ProductVariant } from '#shared/catalog/variant.ts'
import { findSellable, type Sellable } from '#shared/catalog/variants/find-sellable.ts'
import type { CouponCandidate } from '#shared/coupons/apply-coupon.ts'
import { createCoupon } from '#shared/coupons/create-coupon.ts'
import { findCouponByCode } from '#shared/coupons/find-coupon-by-code.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findOfferedShippingMethods } from '#shared/shipping-methods/find-offered-shipping-methods.ts'
import type { OfferedMethod } from '#shared/shipping-methods/offered-method.ts'
import type { Store } from '#shared/stores/store.ts'
import type { TaxRules } from '#shared/tax/tax-rules.ts'
import { COUNTRIES_OF_BUYERS } from './people.ts'

/** What a store sells, at which terms. */
export interface Assortment {
  /** In the order of their SKUs. */
  goods: Sellable[]
  /** Of the countries to which the store ships. */
  terms: ReadonlyMap<string, { methods: OfferedMethod[]; tax: TaxRules }>
}

/** Reads what a store sells. */
export async function readAssortment(
  tx: StoreTx,
  { minOrderTotalMinor, languages }: Store,
): Promise<Assortment> {
  const variants = await ProductVariant.in(tx).whereNull('deleted_at').orderBy('sku').select('id')
  const sellable = await findSellable(
    tx,
    variants.map(({ id }) => id),
  )
  const goods = variants.flatMap(({ id }) => sellable.get(id) ?? [])
  const terms = new Map<string, { methods: OfferedMethod[]; tax: TaxRules }>()
  for (const country of COUNTRIES_OF_BUYERS) {
    const offered = await findOfferedShippingMethods(tx, { country }, languages)
    if (offered.methods.length) terms.set(country, offered)
  }
  // One unit reaches the minimum of an order, with a coupon too.
  const isOrdered = ({ isSellable, unitPriceMinor }: Sellable) =>
    isSellable && unitPriceMinor > 0n && unitPriceMinor * 85n >= minOrderTotalMinor * 100n
  return { goods: goods.filter(isOrdered), terms }
}

const COUPONS = [
  { code: 'FRIENDS15', name: 'Fifteen percent for friends', type: 'percent', value: 15 },
  { code: 'FREIGHTFREE', name: 'Free shipping', type: 'fixed', value: 0, freeShipping: true },
] as const

/** Creates two coupons without limits. */
export async function createCoupons(tx: StoreTx, { currency }: Store): Promise<CouponCandidate[]> {
  const coupons: CouponCandidate[] = []
  for (const coupon of COUPONS) {
    await createCoupon(tx, currency, coupon)
    const found = await findCouponByCode(tx, coupon.code, [], { customerId: null, email: null })
    if (found) coupons.push(found)
  }
  return coupons
}

/** A line of a cart with units of a variant at its price of today. */
export function toCartLine(sellable: Sellable, quantity: number): CartLine {
  const { variantId, unitPriceMinor, taxClassId } = sellable
  return {
    id: variantId,
    variantId,
    quantity,
    sellable,
    isAvailable: true,
    unitPriceMinor,
    taxClassId,
    lineTotalMinor: unitPriceMinor * BigInt(quantity),
  }
}
