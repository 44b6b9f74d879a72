import { cardDigits, cardStep, unitsToMinor } from '#shared/payment-methods/card-rules.ts'
import { currencyDigits } from '#shared/platform/money.ts'
import { GatewayRefusal } from '#workers/gateways/payments.ts'
import { assertMoney } from './stripe-values.ts'

const MILLION = 1_000_000n

/**
 * Converts minor units to Stripe's units. Throws `GatewayRefusal` for an amount that Stripe cannot express: finer than
 * the currency's step at Stripe, or above the largest safe integer.
 */
export function toStripeUnits(amountMinor: bigint, currency: string): number {
  const scaled = amountMinor * 10n ** BigInt(cardDigits(currency))
  const divisor = 10n ** BigInt(currencyDigits(currency))
  const units = scaled / divisor
  const inexact = scaled % divisor !== 0n || units % cardStep(currency) !== 0n
  if (inexact || units > BigInt(Number.MAX_SAFE_INTEGER))
    throw new GatewayRefusal('amount_not_expressible', `Stripe cannot move ${amountMinor} minor ${currency}`)
  return Number(units)
}

/** Converts Stripe's units to minor units. Throws if they are no amount of money. */
export function fromStripeUnits(units: number, currency: string): bigint {
  assertMoney(units, currency)
  return unitsToMinor(BigInt(units), currency.toUpperCase())
}

/**
 * Converts refunded money from Stripe's units to minor units, rounded up, so that the rest of the payment can be
 * refunded in whole minor units. `roundedUpPpm` is the rounding in millionths of a minor unit. Stripe has decimals in
 * some currencies that are whole here, e.g. HUF.
 */
export function fromRefundedUnits(
  units: number,
  currency: string,
): { amountMinor: bigint; roundedUpPpm: number } {
  assertMoney(units, currency)
  const exactPpm = unitsToMinor(BigInt(units) * MILLION, currency.toUpperCase())
  const amountMinor = (exactPpm + MILLION - 1n) / MILLION
  return { amountMinor, roundedUpPpm: Number(amountMinor * MILLION - exactPpm) }
}
