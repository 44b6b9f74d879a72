import { invalid } from './validation.ts'

const digitsByCurrency = new Map<string, number>()

/** Returns the decimals of a currency in use (CLDR): 2 for EUR, 0 for JPY and HUF, 3 for KWD. */
export function currencyDigits(currency: string): number {
  let digits = digitsByCurrency.get(currency)
  if (digits === undefined) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency })
    digits = format.resolvedOptions().maximumFractionDigits ?? 2
    digitsByCurrency.set(currency, digits)
  }
  return digits
}

/**
 * Parses a decimal text ("19.9") to an integer with `digits` decimals: 1990 for 2. Null for invalid text or too many
 * decimals.
 */
export function parseDecimal(text: string, digits: number): bigint | null {
  const match = /^(-?)(\d{1,13})(?:\.(\d+))?$/.exec(text.trim())
  if (!match) return null
  const [, sign, whole = '', fraction = ''] = match
  // Anchored, so that one pass decides: a search for zeros at the end would start again at each zero.
  if (!/^0*$/.test(fraction.slice(digits))) return null
  const minor = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'))
  return sign ? -minor : minor
}

/** Parses a decimal text ("19.9") to minor units; null for invalid text or too many decimals. */
export const parseMinor = (text: string, currency: string): bigint | null =>
  parseDecimal(text, currencyDigits(currency))

/** Converts a request's amount from major to minor units. Throws 422 at `loc` for too many decimals. */
export function toMinor(amount: number, currency: string, loc: (string | number)[]): bigint {
  const minor = parseMinor(String(amount), currency)
  if (minor === null)
    throw invalid(loc, `Use at most ${currencyDigits(currency)} decimals for ${currency}`, amount)
  return minor
}

/** Converts minor units to the major units of a response, a JSON number. */
export const toMajor = (minor: bigint, currency: string): number =>
  Number(minor) / 10 ** currencyDigits(currency)

/** Formats minor units for errors and notes: "12.5 EUR". */
export const formatMinor = (minor: bigint, currency: string): string =>
  `${toMajor(minor, currency)} ${currency}`

/** Returns `amount × numerator ÷ denominator`, rounded half away from zero. */
export function proportion(amount: bigint, numerator: bigint, denominator: bigint): bigint {
  const product = amount * numerator
  const half = denominator / 2n
  return (product >= 0n ? product + half : product - half) / denominator
}

export const sum = (amounts: Iterable<bigint>): bigint => {
  let total = 0n
  for (const amount of amounts) total += amount
  return total
}

export function smaller(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}

export function larger(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}

/**
 * Splits an amount in proportion to weights, of which none is negative. The shares add up to the amount. If all weights
 * are 0, so are the shares.
 */
export function allocate(amount: bigint, weights: readonly bigint[]): bigint[] {
  const whole = sum(weights)
  if (whole === 0n) return weights.map(() => 0n)
  let reached = 0n
  return weights.map((weight) => {
    const before = proportion(amount, reached, whole)
    reached += weight
    return proportion(amount, reached, whole) - before
  })
}
