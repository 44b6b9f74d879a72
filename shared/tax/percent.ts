import { invalid } from '../platform/validation.ts'

/** Of a percentage. */
const DECIMALS = 4
const PPM_A_PERCENT = 10 ** DECIMALS

/** A request's percentage as parts per million, which it is exactly. More than four decimals: 422. */
export function toPpm(percent: number): number {
  const [whole = '', fraction = ''] = String(percent).split('.')
  const isPlain = /^\d{1,4}$/.test(whole) && /^\d{0,4}$/.test(fraction)
  if (!isPlain) throw invalid(['body', 'percent'], `Use at most ${DECIMALS} decimals`, percent)
  return Number(whole + fraction.padEnd(DECIMALS, '0'))
}

/** Parts per million as the percentage of a response. */
export const toPercent = (ppm: number): number => ppm / PPM_A_PERCENT
