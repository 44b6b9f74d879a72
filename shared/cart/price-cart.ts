import { smaller, sum } from '#shared/platform/money.ts'

/** A line for the price calculation, in minor units. */
export interface LineToPrice {
  lineTotalMinor: bigint
  taxClassId: string | null
}

/** The discount of a line, the tax on its discounted total, and the amount that the buyer pays for it. */
export interface LineParts {
  discountMinor: bigint
  taxMinor: bigint
  totalMinor: bigint
}

/** Calculates the tax on an amount of a tax class, in minor units. */
export type TaxOn = (amountMinor: bigint, taxClassId: string | null) => bigint

/** Discounts, shipping, gift vouchers and tax of a cart. */
export interface PriceInputs {
  /** The discount of each line in sequence, at most the line's total. */
  discountsMinor?: readonly bigint[] | undefined
  shipping?: { priceMinor: bigint; taxClassId: string | null } | undefined
  /** The total of bought gift vouchers. They are money, so they have no discount and no tax. */
  vouchersMinor?: bigint | undefined
  /** Default: no tax. */
  taxOn?: TaxOn | undefined
  /** Whether prices include tax. Default: the tax is added to them. */
  pricesIncludeTax?: boolean | undefined
}

/**
 * Amounts in minor units. Always `total = subtotal − discount + shipping + tax`. If prices include tax, `+ tax` is left
 * out.
 */
export interface Totals {
  pricesIncludeTax: boolean
  subtotalMinor: bigint
  discountMinor: bigint
  shippingMinor: bigint
  /** The tax on shipping, a part of `taxMinor`. */
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
 * Calculates the totals of a cart. Each line gets its discount first, then its tax. The lines add up to the totals, and
 * the discount never exceeds the subtotal.
 */
export function priceCart<Line extends LineToPrice>(
  lines: readonly Line[],
  inputs: PriceInputs = {},
): PricedLines<Line> {
  const { discountsMinor = [], shipping = NO_SHIPPING, vouchersMinor = 0n } = inputs
  const { taxOn = UNTAXED, pricesIncludeTax = false } = inputs
  const priced = lines.map((line, index) => priceLine(line, discountsMinor[index] ?? 0n, inputs))
  const subtotalMinor = sum(lines.map((line) => line.lineTotalMinor)) + vouchersMinor
  const discountMinor = sum(priced.map((line) => line.discountMinor))
  const shippingMinor = shipping.priceMinor
  const shippingTaxMinor = taxOn(shippingMinor, shipping.taxClassId)
  const taxMinor = sum(priced.map((line) => line.taxMinor)) + shippingTaxMinor
  const totalMinor = subtotalMinor - discountMinor + shippingMinor + (pricesIncludeTax ? 0n : taxMinor)
  const parts = { subtotalMinor, discountMinor, shippingMinor, shippingTaxMinor, taxMinor, totalMinor }
  return { lines: priced, totals: { pricesIncludeTax, ...parts } }
}

function priceLine<Line extends LineToPrice>(
  line: Line,
  maxDiscountMinor: bigint,
  { taxOn = UNTAXED, pricesIncludeTax = false }: PriceInputs,
): Line & LineParts {
  const discountMinor = smaller(maxDiscountMinor, line.lineTotalMinor)
  const discountedMinor = line.lineTotalMinor - discountMinor
  const taxMinor = taxOn(discountedMinor, line.taxClassId)
  return {
    ...line,
    discountMinor,
    taxMinor,
    totalMinor: discountedMinor + (pricesIncludeTax ? 0n : taxMinor),
  }
}
