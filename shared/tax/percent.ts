import { invalid } from '#shared/platform/validation.ts'

/** Of a percentage. */
const DECIMALS = 4
const PPM_A_PERCENT = 10 ** DECIMALS
const PERCENTAGE = new RegExp(`^(\\d{1,4})(?:\\.(\\d{1,${DECIMALS}}))?$`)

/** A percentage that is written out ("19", "19.50") as parts per million, which it is exactly; null for any other text. */
export function readPercent(text: string): number | null {
  const [, whole, fraction = ''] = PERCENTAGE.exec(text) ?? []
  return whole === undefined ? null : Number(whole + fraction.padEnd(DECIMALS, '0'))
}

/** A request's percentage as parts per million. More than four decimals: 422. */
export function toPpm(percent: number): number {
  const ppm = readPercent(String(percent))
  if (ppm === null) throw invalid(['percent'], `Use at most ${DECIMALS} decimals`, percent)
  return ppm
}

/** Parts per million as the percentage of a response. */
export const toPercent = (ppm: number): number => ppm / PPM_A_PERCENT
