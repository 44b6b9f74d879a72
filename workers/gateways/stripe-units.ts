import { currencyDigits } from '#shared/platform/money.ts'
import { GatewayRefusal } from './payments.ts'

/** Currencies without decimals and with three decimals at Stripe (docs.stripe.com/currencies). */
const WHOLE = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))
const THREE_DECIMALS = new Set('BHD JOD KWD OMR TND'.split(' '))

/** Stripe's decimals differ from daily use: HUF, ISK and UGX have two at Stripe, and none in daily use. */
const stripeDigits = (currency: string) => (WHOLE.has(currency) ? 0 : THREE_DECIMALS.has(currency) ? 3 : 2)

/**
 * Converts minor units to Stripe's units. Throws `GatewayRefusal` for an amount that Stripe cannot express: finer than
 * its units, a third decimal other than zero, or above the largest safe integer.
 */
export function toStripeUnits(amountMinor: bigint, currency: string): number {
  const digits = stripeDigits(currency)
  const scaled = amountMinor * 10n ** BigInt(digits)
  const divisor = 10n ** BigInt(currencyDigits(currency))
  const units = scaled / divisor
  const inexact = scaled % divisor !== 0n || (digits === 3 && units % 10n !== 0n)
  if (inexact || units > BigInt(Number.MAX_SAFE_INTEGER))
    throw new GatewayRefusal('amount_not_expressible', `Stripe cannot move ${amountMinor} minor ${currency}`)
  return Number(units)
}

/** Converts Stripe's units to minor units. */
export function fromStripeUnits(units: number, currency: string): bigint {
  const code = currency.toUpperCase()
  return (BigInt(units) * 10n ** BigInt(currencyDigits(code))) / 10n ** BigInt(stripeDigits(code))
}
