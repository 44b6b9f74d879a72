import { parsePercent } from '#shared/tax/percent.ts'

const HUNDRED_PERCENT_PPM = 1_000_000

/** Parses a VAT percentage into parts per million ("19", "19.00 %" → 190,000). Null unless it is from 0 to 100. */
export function parseVat(text: string): number | null {
  const ppm = parsePercent(text.trim().replace(/\s*%$/, ''))
  return ppm !== null && ppm <= HUNDRED_PERCENT_PPM ? ppm : null
}
