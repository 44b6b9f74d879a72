import { smaller, sum } from '#shared/platform/money.ts'

/** A line as arithmetic sees it: what its units come to, and what they are taxed as. Minor units. */
export interface LineToPrice {
  lineTotalMinor: bigint
  taxClassId: string | null
}

/** What a line has of the whole: the part of the discount that is taken off it, and the tax on what is left. */
export interface LineParts {
  discountMinor: bigint
  taxMinor: bigint
}

/** The tax that an amount bears as goods of a class. Minor units. */
export type TaxOn = (amountMinor: bigint, taxClassId: string | null) => bigint

/** What is taken off lines, and what comes on top of them. */
export interface Charges {
  /** What is taken off each line, in their order; as much of it as the line comes to. */
  discountsMinor?: readonly bigint[] | undefined
  shipping?: { priceMinor: bigint; taxClassId: string | null } | undefined
  /** What gift vouchers come to that are bought: neither discounted nor taxed, for they are money. */
  vouchersMinor?: bigint | undefined
  /** Prices are net: tax comes on top. Left out: nothing is taxed. */
  taxOn?: TaxOn | undefined
}

/** Amounts in minor units. `total = subtotal − discount + shipping + tax`, always. */
export interface Totals {
  subtotalMinor: bigint
  discountMinor: bigint
  shippingMinor: bigint
  /** The part of the tax that is on shipping. */
  shippingTaxMinor: bigint
  taxMinor: bigint
  totalMinor: bigint
}

export interface PricedLines<Line extends LineToPrice> {
  lines: (Line & LineParts)[]
  totals: Totals
}

const UNTAXED: TaxOn = () => 0n
const NO_SHIPPING = { priceMinor: 0n, taxClassId: null }

/**
 * What lines cost together: the discount first, then tax, line by line (decisions, section 5). The lines' parts sum up
 * to the totals, and a discount never exceeds the subtotal (interface document, section 8).
 */
export function priceCart<Line extends LineToPrice>(
  lines: readonly Line[],
  { discountsMinor = [], shipping = NO_SHIPPING, vouchersMinor = 0n, taxOn = UNTAXED }: Charges = {},
): PricedLines<Line> {
  const priced = lines.map((line, index) => priceLine(line, discountsMinor[index] ?? 0n, taxOn))
  const subtotalMinor = sum(lines.map((line) => line.lineTotalMinor)) + vouchersMinor
  const discountMinor = sum(priced.map((line) => line.discountMinor))
  const shippingMinor = shipping.priceMinor
  const shippingTaxMinor = taxOn(shippingMinor, shipping.taxClassId)
  const taxMinor = sum(priced.map((line) => line.taxMinor)) + shippingTaxMinor
  const totalMinor = subtotalMinor - discountMinor + shippingMinor + taxMinor
  const totals = { subtotalMinor, discountMinor, shippingMinor, shippingTaxMinor, taxMinor, totalMinor }
  return { lines: priced, totals }
}

function priceLine<Line extends LineToPrice>(line: Line, offMinor: bigint, taxOn: TaxOn): Line & LineParts {
  const discountMinor = smaller(offMinor, line.lineTotalMinor)
  return { ...line, discountMinor, taxMinor: taxOn(line.lineTotalMinor - discountMinor, line.taxClassId) }
}
