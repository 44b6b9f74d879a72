import { invalid } from '#shared/platform/validation.ts'

const DECIMALS = 4
const PPM_PER_PERCENT = 10 ** DECIMALS
const PERCENTAGE = new RegExp(`^(\\d{1,4})(?:\\.(\\d{1,${DECIMALS}}))?$`)

/** Parses a decimal percentage ("19", "19.50") into parts per million, exactly. Null for any other text. */
export function parsePercent(text: string): number | null {
  const [, whole, fraction = ''] = PERCENTAGE.exec(text) ?? []
  return whole === undefined ? null : Number(whole + fraction.padEnd(DECIMALS, '0'))
}

/** Converts a percentage to parts per million. Throws 422 for more than four decimals. */
export function toPpm(percent: number): number {
  const ppm = parsePercent(String(percent))
  if (ppm === null) throw invalid(['percent'], `Use at most ${DECIMALS} decimals`, percent)
  return ppm
}

/** Converts parts per million to a percentage. */
export const toPercent = (ppm: number): number => ppm / PPM_PER_PERCENT
