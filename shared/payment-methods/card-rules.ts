import { currencyDigits, parseDecimal } from '#shared/platform/money.ts'

/** Currencies without decimals at Stripe (docs.stripe.com/currencies). */
const WITHOUT_DECIMALS = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))
/** Currencies with three decimals at Stripe. */
const THREE_DECIMALS = new Set('BHD JOD KWD OMR TND'.split(' '))
/** Currencies that Stripe writes with two decimals, which must be 00. */
const TWO_ZEROS = new Set(['ISK', 'UGX'])

/** The minimum charges that Stripe publishes, in major units. Elsewhere the smallest step is the minimum. */
const MINIMUM_CHARGE: Record<string, string> = {
  AED: '2.00',
  AUD: '0.50',
  BGN: '1.00',
  BRL: '0.50',
  CAD: '0.50',
  CHF: '0.50',
  CZK: '15.00',
  DKK: '2.50',
  EUR: '0.50',
  GBP: '0.30',
  HKD: '4.00',
  HUF: '175.00',
  INR: '0.50',
  JPY: '50',
  MXN: '10',
  MYR: '2',
  NOK: '3.00',
  NZD: '0.50',
  PLN: '2.00',
  RON: '2.00',
  SEK: '3.00',
  SGD: '0.50',
  THB: '10',
  USD: '0.50',
}

/** An amount at Stripe has at most eight digits in Stripe's units. */
const MAXIMUM_UNITS = 99_999_999n

/**
 * Returns the decimals of a currency at Stripe. They differ from daily use for HUF, ISK and UGX, which have two at
 * Stripe.
 */
export function cardDigits(currency: string): number {
  if (WITHOUT_DECIMALS.has(currency)) return 0
  return THREE_DECIMALS.has(currency) ? 3 : 2
}

/** Returns the step of amounts in Stripe's units: 10 with three decimals, and 100 where both decimals must be 0. */
export function cardStep(currency: string): bigint {
  if (THREE_DECIMALS.has(currency)) return 10n
  return TWO_ZEROS.has(currency) ? 100n : 1n
}

/** Converts Stripe's units to minor units, rounded down. */
export const unitsToMinor = (units: bigint, currency: string): bigint =>
  (units * 10n ** BigInt(currencyDigits(currency))) / 10n ** BigInt(cardDigits(currency))

/**
 * Returns the card's step in minor units, but at least 1: Stripe's step for HUF is a hundredth of a minor unit. Amounts
 * of charges and refunds by card are multiples of it.
 */
export const cardStepMinor = (currency: string): bigint => unitsToMinor(cardStep(currency), currency) || 1n

/** Returns the smallest charge by card, in minor units. */
export function minChargeMinor(currency: string): bigint {
  const published = parseDecimal(MINIMUM_CHARGE[currency] ?? '0', currencyDigits(currency)) ?? 0n
  return published || cardStepMinor(currency)
}

/** Returns the largest charge by card, in minor units. */
export const maxChargeMinor = (currency: string): bigint =>
  roundDown(unitsToMinor(MAXIMUM_UNITS, currency), cardStepMinor(currency))

/** Returns the largest multiple of a step up to an amount. */
export const roundDown = (amountMinor: bigint, stepMinor: bigint): bigint =>
  amountMinor - (amountMinor % stepMinor)

/** Rounds a non-negative amount to the card's step, half up. */
export function roundForCard(amountMinor: bigint, currency: string): bigint {
  const stepMinor = cardStepMinor(currency)
  return roundDown(amountMinor + stepMinor / 2n, stepMinor)
}

/**
 * Returns the charge by card for an amount due, in minor units; 0 if nothing is due. Null outside the limits of
 * charges.
 */
export function cardChargeMinor(dueMinor: bigint, currency: string): bigint | null {
  if (dueMinor === 0n) return 0n
  const chargeMinor = roundForCard(dueMinor, currency)
  const isPayable = chargeMinor >= minChargeMinor(currency) && chargeMinor <= maxChargeMinor(currency)
  return isPayable ? chargeMinor : null
}
