const PERCENT = /^(\d{1,2}(\.\d{1,4})?|100(\.0{1,4})?)\s*%?$/

/** A VAT percent in parts per million, as tax rates are kept ("19", "19.00" → 190,000); null for no such percent. */
export function readPercent(text: string): number | null {
  const [, percent] = PERCENT.exec(text.trim()) ?? []
  return percent === undefined ? null : Math.round(Number(percent) * 10_000)
}
