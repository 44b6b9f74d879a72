import type { Order } from '#shared/orders/order.ts'
import { cardStepMinor, roundDown, roundForCard } from '#shared/payment-methods/card-rules.ts'
import { formatMinor, larger, smaller, toMajor } from '#shared/platform/money.ts'
import { invalid } from '#shared/platform/validation.ts'
import type { RefundBreakdown } from './calculate-refund.ts'
import type { RefundSource } from './refund-source.ts'

/** `roundingMinor` is the amount less the exact price. It may be negative. */
export interface RoundedRefund {
  amountMinor: bigint
  roundingMinor: bigint
}

type RefundedOrder = Pick<Order, 'currency' | 'totalMinor' | 'roundingMinor' | 'amountRefundedMinor'>

/**
 * Rounds the amount of a refund so that the gateway's part is a multiple of the card's step. Prices are rounded
 * cumulatively and the last refund takes the rest, so that all refunds of an order add up to what was paid. Throws 422
 * for a fixed amount that is no multiple of the step, and for prices that round to 0.
 */
export function roundForGateway(
  order: RefundedOrder,
  source: RefundSource,
  { amountMinor, isFixed }: Pick<RefundBreakdown, 'amountMinor' | 'isFixed'>,
): RoundedRefund {
  if (isFixed) {
    assertInSteps(order, source, amountMinor)
    return { amountMinor, roundingMinor: 0n }
  }
  const stepMinor = cardStepMinor(order.currency)
  const roundedMinor = roundPrices(order, source, amountMinor, stepMinor)
  if (roundedMinor === 0n)
    throw invalid(
      [],
      `The payment gateway refunds at least ${formatMinor(stepMinor, order.currency)}. Refund a larger amount`,
    )
  return { amountMinor: roundedMinor, roundingMinor: roundedMinor - amountMinor }
}

function roundPrices(
  order: RefundedOrder,
  { steppedMinor, maxMinor, roundingMinor }: RefundSource,
  exactMinor: bigint,
  stepMinor: bigint,
): bigint {
  const unrefundedExactMinor =
    order.totalMinor - order.roundingMinor - (order.amountRefundedMinor - roundingMinor)
  const targetMinor = larger(0n, exactMinor - roundingMinor)
  const isLast = exactMinor === unrefundedExactMinor
  // Within one step of what is left, refund exactly that, so that no rest remains that cannot be paid.
  const isWithinStepOfRest = targetMinor < maxMinor + stepMinor && targetMinor + stepMinor > maxMinor
  if (isLast && isWithinStepOfRest) return maxMinor
  if (targetMinor < steppedMinor) return roundForCard(targetMinor, order.currency)
  return isWithinStepOfRest ? smaller(targetMinor, maxMinor) : targetMinor
}

/**
 * Throws 422 for an amount that is no multiple of the card's step. Two amounts are always allowed: the whole of the
 * gateway's payment, and everything that is left of the order.
 */
function assertInSteps(
  order: RefundedOrder,
  { steppedMinor, maxMinor }: RefundSource,
  amountMinor: bigint,
): void {
  if (amountMinor >= smaller(steppedMinor, maxMinor)) return
  const stepMinor = cardStepMinor(order.currency)
  const below = roundDown(amountMinor, stepMinor)
  if (below === amountMinor) return
  const nearest = [below, below + stepMinor].filter((minor) => minor > 0n && minor <= maxMinor)
  const advice = nearest.map((minor) => formatMinor(minor, order.currency)).join(' or ')
  throw invalid(
    ['amount'],
    `The payment gateway refunds in steps of ${formatMinor(stepMinor, order.currency)}. Refund ${advice}`,
    toMajor(amountMinor, order.currency),
  )
}

/** Returns the lowest price that can round to an amount, given the roundings of the order and its other refunds. */
export const lowestExactPriceMinor = (amountMinor: bigint, { currency }: Pick<Order, 'currency'>): bigint =>
  larger(0n, amountMinor - cardStepMinor(currency) + 1n)
