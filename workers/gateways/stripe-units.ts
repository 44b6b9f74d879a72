import { currencyDigits } from '#shared/platform/money.ts'
import { GatewayRefusal } from './payments.ts'

/** Currencies that Stripe takes in whole units, and those of three decimals (docs.stripe.com/currencies). */
const WHOLE = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))
const THREE_DECIMALS = new Set('BHD JOD KWD OMR TND'.split(' '))

/** Stripe's decimals are not everyone's: HUF, ISK and UGX have two there, and none in daily use. */
const stripeDigits = (currency: string) => (WHOLE.has(currency) ? 0 : THREE_DECIMALS.has(currency) ? 3 : 2)

/**
 * An amount in Stripe's units. Throws `GatewayRefusal` for one it cannot express: finer than its units, a third
 * decimal other than zero, or past the largest exact number.
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

/** An amount that Stripe tells of, in our minor units. */
export function fromStripeUnits(units: number, currency: string): bigint {
  const code = currency.toUpperCase()
  return (BigInt(units) * 10n ** BigInt(currencyDigits(code))) / 10n ** BigInt(stripeDigits(code))
}
