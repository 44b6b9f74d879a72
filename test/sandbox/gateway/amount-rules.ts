import { invalidParameter } from './errors.ts'

const THREE_DECIMALS = ['bhd', 'jod', 'kwd', 'omr', 'tnd']
/** Written with two decimals, which must be 00. */
const TWO_ZEROS = ['isk', 'ugx']

/**
 * Stripe's minimum charges (docs.stripe.com/currencies) in its units. Other currencies: the settlement currency
 * decides.
 */
const MINIMUM: Record<string, number> = {
  aed: 200,
  aud: 50,
  bgn: 100,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1_500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  inr: 50,
  jpy: 50,
  mxn: 1_000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1_000,
  usd: 50,
}

/** @throws Stripe's error for an amount finer than a currency allows */
export function assertStep(units: number, currency: string, param = 'amount') {
  const step = THREE_DECIMALS.includes(currency) ? 10 : TWO_ZEROS.includes(currency) ? 100 : 1
  if (units % step !== 0)
    throw invalidParameter(
      param,
      `Invalid amount: ${currency} amounts must be evenly divisible by ${step}.`,
      'parameter_invalid_integer',
    )
}

/** @throws Stripe's error for a charge that is too fine or too small */
export function assertChargeable(units: number, currency: string) {
  assertStep(units, currency)
  const minimum = MINIMUM[currency] ?? 1
  if (units < minimum)
    throw invalidParameter(
      'amount',
      `Amount must be at least ${minimum} in the smallest unit of ${currency}.`,
      'amount_too_small',
    )
}
