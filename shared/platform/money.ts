import { invalid } from './validation.ts'

const digitsByCurrency = new Map<string, number>()

/** The decimals of a currency in use (CLDR): 2 for EUR, 0 for JPY and HUF, 3 for KWD. */
export function currencyDigits(currency: string): number {
  let digits = digitsByCurrency.get(currency)
  if (digits === undefined) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency })
    digits = format.resolvedOptions().maximumFractionDigits ?? 2
    digitsByCurrency.set(currency, digits)
  }
  return digits
}

/** Parses a decimal text ("19.9") as an integer of its last digit; null for no number or too many decimals. */
export function parseDecimal(text: string, digits: number): bigint | null {
  const match = /^(-?)(\d{1,13})(?:\.(\d+))?$/.exec(text.trim())
  if (!match) return null
  const [, sign, whole = '', fraction = ''] = match
  if (fraction.replace(/0+$/, '').length > digits) return null
  const minor = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'))
  return sign ? -minor : minor
}

/** Parses a decimal text ("19.9") as minor units; null for no amount or too many decimals. */
export const parseMinor = (text: string, currency: string): bigint | null =>
  parseDecimal(text, currencyDigits(currency))

/** Converts a request's amount (major units) to minor units. Too many decimals throw 422 at `loc`. */
export function toMinor(amount: number, currency: string, loc: (string | number)[]): bigint {
  const minor = parseMinor(String(amount), currency)
  if (minor === null)
    throw invalid(loc, `Use at most ${currencyDigits(currency)} decimals for ${currency}`, amount)
  return minor
}

/** Minor units as the JSON number of a response, in major units. */
export const toMajor = (minor: bigint, currency: string): number =>
  Number(minor) / 10 ** currencyDigits(currency)

/** Minor units as text in major units for errors and notes: "12.5 EUR". */
export const formatMinor = (minor: bigint, currency: string): string =>
  `${toMajor(minor, currency)} ${currency}`

/** `amount × numerator ÷ denominator`, rounded half away from zero (decisions: rounding per line). */
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

/** Splits an amount by weights, none negative. The shares sum to the amount; without any weight all are 0. */
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
