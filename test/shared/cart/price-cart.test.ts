import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Charges, priceCart, type TaxOn } from '#shared/cart/price-cart.ts'
import { parseMinor, proportion, smaller, sum, toMajor } from '#shared/platform/money.ts'

const STANDARD = 'standard'

/** Goods of the class `standard` bear so many percent; all else none. */
const percent =
  (rate: bigint): TaxOn =>
  (amountMinor, taxClassId) =>
    taxClassId === STANDARD ? proportion(amountMinor, rate, 100n) : 0n

interface Row {
  currency: string
  lines: string[]
  discounts?: string[]
  shipping?: string
  tax?: bigint
  /** subtotal − discount + shipping + tax = total */
  sums: [subtotal: string, discount: string, shipping: string, tax: string, total: string]
}

const TABLE: Row[] = [
  { currency: 'EUR', lines: [], sums: ['0', '0', '0', '0', '0'] },
  { currency: 'EUR', lines: ['59.97'], sums: ['59.97', '0', '0', '0', '59.97'] },
  { currency: 'EUR', lines: ['0.30', '0.20'], shipping: '4.90', sums: ['0.50', '0', '4.90', '0', '5.40'] },
  { currency: 'EUR', lines: ['20'], discounts: ['5'], tax: 19n, sums: ['20', '5', '0', '2.85', '17.85'] },
  {
    currency: 'EUR',
    lines: ['20'],
    discounts: ['25'],
    shipping: '4.90',
    sums: ['20', '20', '4.90', '0', '4.90'],
  },
  { currency: 'EUR', lines: ['0.13', '0.13'], tax: 19n, sums: ['0.26', '0', '0', '0.04', '0.30'] },
  { currency: 'EUR', lines: ['10'], shipping: '5', tax: 19n, sums: ['10', '0', '5', '2.85', '17.85'] },
  { currency: 'JPY', lines: ['2400', '1'], shipping: '500', sums: ['2401', '0', '500', '0', '2901'] },
  { currency: 'JPY', lines: ['5'], tax: 10n, sums: ['5', '0', '0', '1', '6'] },
  { currency: 'KWD', lines: ['3.015'], shipping: '0.250', sums: ['3.015', '0', '0.250', '0', '3.265'] },
]

for (const { currency, lines, discounts = [], shipping = '0', tax = 0n, sums } of TABLE) {
  const minor = (amount: string) => parseMinor(amount, currency) ?? 0n
  const [subtotal, discount, shipped, taxed, total] = sums
  const what = [lines.join(' + ') || 'nothing', discounts.length && `less ${discounts}`, tax && `at ${tax} %`]

  test(`${currency} ${what.filter(Boolean).join(', ')}, shipped for ${shipping}, comes to ${total}`, () => {
    const { totals } = priceCart(
      lines.map((amount) => ({ lineTotalMinor: minor(amount), taxClassId: STANDARD })),
      {
        discountsMinor: discounts.map(minor),
        shipping: { priceMinor: minor(shipping), taxClassId: STANDARD },
        taxOn: percent(tax),
      },
    )

    assert.deepEqual(
      [totals.subtotalMinor, totals.discountMinor, totals.shippingMinor, totals.taxMinor, totals.totalMinor],
      [subtotal, discount, shipped, taxed, total].map(minor),
    )
    assert.equal(toMajor(totals.totalMinor, currency), Number(total))
  })
}

test('what has no tax class is not taxed, goods and shipping alike', () => {
  const { totals } = priceCart([{ lineTotalMinor: 1_000n, taxClassId: null }], {
    shipping: { priceMinor: 500n, taxClassId: null },
    taxOn: percent(19n),
  })

  assert.equal(totals.taxMinor, 0n)
})

const amount = fc.bigInt({ min: 0n, max: 10n ** 12n })
const taxClassId = fc.constantFrom(STANDARD, null)
const line = fc.record({ lineTotalMinor: amount, taxClassId })
const charges: fc.Arbitrary<Charges> = fc.record({
  discountsMinor: fc.array(amount),
  shipping: fc.record({ priceMinor: amount, taxClassId }),
  taxOn: fc.bigInt({ min: 0n, max: 100n }).map(percent),
})

test('the parts sum up to the total, none is negative, and a discount never exceeds what it is taken off', () => {
  fc.assert(
    fc.property(fc.array(line), charges, (lines, given) => {
      const { lines: priced, totals } = priceCart(lines, given)

      assert.equal(totals.subtotalMinor, sum(lines.map((each) => each.lineTotalMinor)))
      assert.equal(totals.discountMinor, sum(priced.map((each) => each.discountMinor)))
      assert.equal(totals.taxMinor, sum(priced.map((each) => each.taxMinor)) + totals.shippingTaxMinor)
      assert.equal(
        totals.totalMinor,
        totals.subtotalMinor - totals.discountMinor + totals.shippingMinor + totals.taxMinor,
      )
      for (const { discountMinor, lineTotalMinor } of priced)
        assert.equal(discountMinor, smaller(discountMinor, lineTotalMinor))
      for (const part of Object.values(totals)) assert.ok(part >= 0n)
    }),
  )
})
