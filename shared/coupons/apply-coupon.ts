import type { CodedError } from '#shared/platform/errors.ts'
import { allocate, proportion, smaller, sum, toMajor } from '#shared/platform/money.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { CouponTerms } from './coupon.ts'
import { CouponErrors } from './errors.ts'

/** A line of goods as a coupon sees it. What is not sold any more comes to nothing. */
export interface Goods {
  productId: string
  isSellable: boolean
  lineTotalMinor: bigint
}

/** A coupon with what is known of it and of whoever presents it. */
export interface PresentedCoupon extends CouponTerms {
  id: string
  currency: string
  usesCount: number
  /** How often this buyer used it. */
  usesOfBuyer: number
  /** Which of the products asked about it is for; null: it is for all. */
  matchingIds: readonly string[] | null
}

/** What a coupon does to lines of goods. */
export interface AppliedCoupon {
  /** Why it does nothing; null where it applies. */
  refusal: CodedError | null
  /** What it takes off each line, in their order. Minor units. */
  discountsMinor: bigint[]
  freeShipping: boolean
}

/** Applies a coupon to lines of goods, now. Whoever has no account is a guest. */
export function applyCoupon(
  coupon: PresentedCoupon,
  lines: readonly Goods[],
  customerId: string | null,
): AppliedCoupon {
  const refusal = refusalOf(coupon, lines, customerId)
  if (refusal) return { refusal, discountsMinor: lines.map(() => 0n), freeShipping: false }
  return { refusal, discountsMinor: discountLines(coupon, lines), freeShipping: coupon.freeShipping }
}

const isFor = ({ matchingIds }: PresentedCoupon, { isSellable, productId }: Goods): boolean =>
  isSellable && (matchingIds === null || matchingIds.includes(productId))

/** The coded error that a coupon is refused with; null where it applies. What the shopper cannot mend is told first. */
function refusalOf(
  coupon: PresentedCoupon,
  lines: readonly Goods[],
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
  const amount = (minor: bigint) => `${toMajor(minor, currency)} ${currency}`
  if (subtotalMinor < minTotalMinor)
    return CouponErrors.minTotalNotMet({ minimum: amount(minTotalMinor), subtotal: amount(subtotalMinor) })
  return lines.some((line) => isFor(coupon, line)) ? null : CouponErrors.notApplicable()
}

const isUsedUp = ({ usesTotal, usesCount, usesPerCustomer, usesOfBuyer }: PresentedCoupon): boolean =>
  (usesTotal !== null && usesCount >= usesTotal) ||
  (usesPerCustomer !== null && usesOfBuyer >= usesPerCustomer)

const WHOLE = 10_000n

/**
 * What a coupon takes off each line that it is for: a percentage is rounded line by line (decisions, section 1), a fixed
 * amount, of which no more than the lines come to, is shared out by their totals.
 */
function discountLines(coupon: PresentedCoupon, lines: readonly Goods[]): bigint[] {
  const matching = lines.map((line) => (isFor(coupon, line) ? line.lineTotalMinor : 0n))
  return coupon.type === 'percent'
    ? matching.map((total) => proportion(total, coupon.value, WHOLE))
    : allocate(smaller(coupon.value, sum(matching)), matching)
}
