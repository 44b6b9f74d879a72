import type { CodedError } from '#shared/platform/errors.ts'
import { allocate, formatMinor, proportion, smaller, sum } from '#shared/platform/money.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { CouponRules } from './coupon.ts'
import { CouponErrors } from './errors.ts'

/** A line of goods. The total of goods that are no longer sold is 0. */
export interface CouponLine {
  productId: string
  isSellable: boolean
  lineTotalMinor: bigint
}

/** A coupon that a buyer entered, with its uses and the goods that it matches. */
export interface CouponCandidate extends CouponRules {
  id: string
  currency: string
  usesCount: number
  usesByBuyer: number
  /** The products of the cart that the coupon matches; null if it matches all products. */
  matchingIds: readonly string[] | null
}

/** The effect of a coupon on lines of goods. */
export interface AppliedCoupon {
  /** The reason why the coupon does not apply; null if it applies. */
  refusal: CodedError | null
  /** The discount of each line in sequence, in minor units. */
  discountsMinor: bigint[]
  freeShipping: boolean
}

/** Applies a coupon to lines of goods at the current time. `customerId` is null for a guest. */
export function applyCoupon(
  coupon: CouponCandidate,
  lines: readonly CouponLine[],
  customerId: string | null,
): AppliedCoupon {
  const refusal = findRefusal(coupon, lines, customerId)
  if (refusal) return { refusal, discountsMinor: lines.map(() => 0n), freeShipping: false }
  return { refusal, discountsMinor: discountLines(coupon, lines), freeShipping: coupon.freeShipping }
}

const matches = ({ matchingIds }: CouponCandidate, { isSellable, productId }: CouponLine): boolean =>
  isSellable && (matchingIds === null || matchingIds.includes(productId))

/**
 * Returns the error of a coupon that does not apply; null if it applies. It checks the reasons that a shopper cannot
 * fix first.
 */
function findRefusal(
  coupon: CouponCandidate,
  lines: readonly CouponLine[],
  customerId: string | null,
): CodedError | null {
  const { isActive, startsAt, endsAt, loggedInOnly, minTotalMinor, currency } = coupon
  const at = now()
  if (!isActive) return CouponErrors.notFound()
  if (startsAt && at < startsAt) return CouponErrors.expired({ startsAt: startsAt.toISOString() })
  if (endsAt && at >= endsAt) return CouponErrors.expired({ endsAt: endsAt.toISOString() })
  if (loggedInOnly && !customerId) return CouponErrors.loginRequired()
  if (isUsedUp(coupon)) return CouponErrors.usageExceeded()
  const subtotalMinor = sum(lines.map((line) => line.lineTotalMinor))
  if (subtotalMinor < minTotalMinor)
    return CouponErrors.minTotalNotMet({
      minimum: formatMinor(minTotalMinor, currency),
      subtotal: formatMinor(subtotalMinor, currency),
    })
  return lines.some((line) => matches(coupon, line)) ? null : CouponErrors.notApplicable()
}

const isUsedUp = ({ usesTotal, usesCount, usesPerCustomer, usesByBuyer }: CouponCandidate): boolean =>
  (usesTotal !== null && usesCount >= usesTotal) ||
  (usesPerCustomer !== null && usesByBuyer >= usesPerCustomer)

const HUNDRED_PERCENT = 10_000n

/**
 * Returns the discount of each matching line. A percentage is rounded half away from zero on each line. A fixed amount
 * is limited to the sum of the lines and allocated by their totals.
 */
function discountLines(coupon: CouponCandidate, lines: readonly CouponLine[]): bigint[] {
  const matching = lines.map((line) => (matches(coupon, line) ? line.lineTotalMinor : 0n))
  return coupon.type === 'percent'
    ? matching.map((total) => proportion(total, coupon.value, HUNDRED_PERCENT))
    : allocate(smaller(coupon.value, sum(matching)), matching)
}
