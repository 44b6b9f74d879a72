import { readPercent } from '#shared/tax/percent.ts'

const WHOLE_PPM = 1_000_000

/** A VAT percent in parts per million, as tax rates are kept ("19", "19.00 %" → 190,000); null unless it is from 0 to 100. */
export function readVat(text: string): number | null {
  const ppm = readPercent(text.trim().replace(/\s*%$/, ''))
  return ppm !== null && ppm <= WHOLE_PPM ? ppm : null
}
