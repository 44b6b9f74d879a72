import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type LineToPrice,
  type PricedLines,
  type PriceInputs,
  priceCart,
  type TaxOn,
} from '#shared/cart/price-cart.ts'
import { applyCoupon, type CouponCandidate } from '#shared/coupons/apply-coupon.ts'
import { currencyDigits, parseMinor, proportion, smaller, sum, toMajor } from '#shared/platform/money.ts'

const STANDARD = 'standard'

/** The tax on goods of the class `standard` in percent; there is none on all else. */
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
  sums: { subtotal: string; discount: string; shipping: string; tax: string; total: string }
}

const TABLE: Row[] = [
  { currency: 'EUR', lines: [], sums: { subtotal: '0', discount: '0', shipping: '0', tax: '0', total: '0' } },
  {
    currency: 'EUR',
    lines: ['59.97'],
    sums: { subtotal: '59.97', discount: '0', shipping: '0', tax: '0', total: '59.97' },
  },
  {
    currency: 'EUR',
    lines: ['0.30', '0.20'],
    shipping: '4.90',
    sums: { subtotal: '0.50', discount: '0', shipping: '4.90', tax: '0', total: '5.40' },
  },
  {
    currency: 'EUR',
    lines: ['20'],
    discounts: ['5'],
    tax: 19n,
    sums: { subtotal: '20', discount: '5', shipping: '0', tax: '2.85', total: '17.85' },
  },
  {
    currency: 'EUR',
    lines: ['20'],
    discounts: ['25'],
    shipping: '4.90',
    sums: { subtotal: '20', discount: '20', shipping: '4.90', tax: '0', total: '4.90' },
  },
  {
    currency: 'EUR',
    lines: ['0.13', '0.13'],
    tax: 19n,
    sums: { subtotal: '0.26', discount: '0', shipping: '0', tax: '0.04', total: '0.30' },
  },
  {
    currency: 'EUR',
    lines: ['10'],
    shipping: '5',
    tax: 19n,
    sums: { subtotal: '10', discount: '0', shipping: '5', tax: '2.85', total: '17.85' },
  },
  {
    currency: 'JPY',
    lines: ['2400', '1'],
    shipping: '500',
    sums: { subtotal: '2401', discount: '0', shipping: '500', tax: '0', total: '2901' },
  },
  {
    currency: 'JPY',
    lines: ['5'],
    tax: 10n,
    sums: { subtotal: '5', discount: '0', shipping: '0', tax: '1', total: '6' },
  },
  {
    currency: 'KWD',
    lines: ['3.015'],
    shipping: '0.250',
    sums: { subtotal: '3.015', discount: '0', shipping: '0.250', tax: '0', total: '3.265' },
  },
]

for (const { currency, lines, discounts = [], shipping = '0', tax = 0n, sums } of TABLE) {
  const minor = (amount: string) => parseMinor(amount, currency) ?? 0n
  const what = [lines.join(' + ') || 'nothing', discounts.length && `less ${discounts}`, tax && `at ${tax} %`]

  test(`${currency} ${what.filter(Boolean).join(', ')}, shipped for ${shipping}, comes to ${sums.total}`, () => {
    const { totals } = priceCart(
      lines.map((amount) => ({ lineTotalMinor: minor(amount), taxClassId: STANDARD })),
      {
        discountsMinor: discounts.map(minor),
        shipping: { priceMinor: minor(shipping), taxClassId: STANDARD },
        taxOn: percent(tax),
      },
    )

    assert.partialDeepStrictEqual(totals, {
      subtotalMinor: minor(sums.subtotal),
      discountMinor: minor(sums.discount),
      shippingMinor: minor(sums.shipping),
      taxMinor: minor(sums.tax),
      totalMinor: minor(sums.total),
    })
    assert.equal(toMajor(totals.totalMinor, currency), Number(sums.total))
  })
}

test('goods and shipping without a tax class are not taxed', () => {
  const { totals } = priceCart([{ lineTotalMinor: 1_000n, taxClassId: null }], {
    shipping: { priceMinor: 500n, taxClassId: null },
    taxOn: percent(19n),
  })

  assert.equal(totals.taxMinor, 0n)
})

const amount = fc.bigInt({ min: 0n, max: 10n ** 12n })
const taxClassId = fc.constantFrom(STANDARD, null)
const line = fc.record({ lineTotalMinor: amount, taxClassId })
const inputs: fc.Arbitrary<PriceInputs> = fc.record({
  discountsMinor: fc.array(amount),
  shipping: fc.record({ priceMinor: amount, taxClassId }),
  taxOn: fc.bigInt({ min: 0n, max: 100n }).map(percent),
})

/** What holds of every cart: `lines − discount + shipping + tax = total`, and nothing is below zero. */
function assertAddsUp<Line extends LineToPrice>(lines: readonly Line[], priced: PricedLines<Line>): void {
  const { totals } = priced
  assert.equal(totals.subtotalMinor, sum(lines.map((each) => each.lineTotalMinor)))
  assert.equal(totals.discountMinor, sum(priced.lines.map((each) => each.discountMinor)))
  assert.equal(totals.taxMinor, sum(priced.lines.map((each) => each.taxMinor)) + totals.shippingTaxMinor)
  assert.equal(
    totals.totalMinor,
    totals.subtotalMinor - totals.discountMinor + totals.shippingMinor + totals.taxMinor,
  )
  assert.ok(totals.discountMinor <= totals.subtotalMinor)
  for (const { discountMinor, lineTotalMinor, taxMinor } of priced.lines) {
    assert.ok(discountMinor >= 0n && taxMinor >= 0n)
    assert.equal(discountMinor, smaller(discountMinor, lineTotalMinor))
  }
  for (const part of Object.values(totals)) assert.ok(part >= 0n)
}

test('the parts add up to the total, none is negative, and no discount exceeds its line', () => {
  fc.assert(
    fc.property(fc.array(line), inputs, (lines, given) => assertAddsUp(lines, priceCart(lines, given))),
  )
})

const anyCoupon = (given: Partial<CouponCandidate>): CouponCandidate => ({
  id: 'coupon',
  code: 'CODE',
  name: null,
  type: 'percent',
  value: 1_000n,
  currency: 'EUR',
  minTotalMinor: 0n,
  startsAt: null,
  endsAt: null,
  usesTotal: null,
  usesCount: 0,
  usesPerCustomer: null,
  usesByBuyer: 0,
  loggedInOnly: false,
  freeShipping: false,
  productIds: [],
  categoryIds: [],
  isActive: true,
  matchingIds: null,
  ...given,
})

/** Lines by their totals; those marked with * are none of the coupon's. Then what is taken off each. */
const DISCOUNTS: [why: string, coupon: Partial<CouponCandidate>, lines: string[], off: bigint[]][] = [
  ['a tenth', { value: 1_000n }, ['1000', '2000'], [100n, 200n]],
  ['a tenth, rounded line by line, half away from zero', { value: 1_000n }, ['5', '5', '4'], [1n, 1n, 0n]],
  ['a third of a percent', { value: 33n }, ['100000'], [330n]],
  ['all', { value: 10_000n }, ['999', '1'], [999n, 1n]],
  ['a tenth of its own goods', { value: 1_000n }, ['1000', '2000*'], [100n, 0n]],
  ['an amount by price', { type: 'fixed', value: 300n }, ['1000', '2000'], [100n, 200n]],
  ['a cent that does not divide', { type: 'fixed', value: 100n }, ['1000', '1000', '1000'], [33n, 34n, 33n]],
  ['more than there is', { type: 'fixed', value: 9_000n }, ['1000', '2000'], [1_000n, 2_000n]],
  ['more than its own goods', { type: 'fixed', value: 9_000n }, ['1000', '2000*'], [1_000n, 0n]],
  ['an amount off what is free', { type: 'fixed', value: 100n }, ['0', '0'], [0n, 0n]],
  ['the shipping alone', { value: 0n, freeShipping: true }, ['1000'], [0n]],
]

for (const [why, given, lines, off] of DISCOUNTS)
  test(`a coupon discounts ${why}: ${lines.join(' + ')} less ${off.join(' + ')}`, () => {
    const goods = lines.map((text) => ({
      productId: text.endsWith('*') ? 'other' : 'own',
      isSellable: true,
      lineTotalMinor: BigInt(text.replace('*', '')),
    }))

    const { refusal, discountsMinor } = applyCoupon(
      anyCoupon({ ...given, matchingIds: ['own'] }),
      goods,
      null,
    )

    assert.equal(refusal, null)
    assert.deepEqual(discountsMinor, off)
  })

const PRODUCTS = ['a', 'b', 'c']
const boughtLine = fc.record({
  productId: fc.constantFrom(...PRODUCTS),
  isSellable: fc.constant(true),
  lineTotalMinor: fc.oneof(fc.bigInt(0n, 100n), fc.bigInt(0n, 10n ** 9n)),
  taxClassId,
})
const presented = fc
  .record({
    type: fc.constantFrom('percent' as const, 'fixed' as const),
    value: fc.bigInt(1n, 10_000n),
    freeShipping: fc.boolean(),
    matchingIds: fc.option(fc.subarray(PRODUCTS)),
  })
  .map(anyCoupon)
const shippingPrice = fc.bigInt(0n, 10_000n)
const taxRate = fc.bigInt(0n, 30n).map(percent)

for (const currency of ['JPY', 'EUR', 'KWD'])
  test(`a cart with a coupon adds up in ${currency}, also in the JSON numbers of responses`, () => {
    const sent = (minor: bigint) => toMajor(minor, currency)
    const lines = fc.array(boughtLine, { maxLength: 8 })
    fc.assert(
      fc.property(lines, presented, shippingPrice, taxRate, (bought, coupon, priceMinor, taxOn) => {
        const { discountsMinor, freeShipping, refusal } = applyCoupon(coupon, bought, null)
        const shipping = { priceMinor: freeShipping ? 0n : priceMinor, taxClassId: STANDARD }

        const priced = priceCart(bought, { discountsMinor, shipping, taxOn })

        assertAddsUp(bought, priced)
        const { subtotalMinor, discountMinor, shippingMinor, taxMinor, totalMinor } = priced.totals
        const added = sent(subtotalMinor) - sent(discountMinor) + sent(shippingMinor) + sent(taxMinor)
        assert.equal(Number(added.toFixed(currencyDigits(currency))), sent(totalMinor))
        const mine = bought.map((each) => coupon.matchingIds?.includes(each.productId) ?? true)
        assert.ok(priced.lines.every((each, index) => mine[index] || each.discountMinor === 0n))
        if (!refusal && coupon.type === 'fixed')
          assert.equal(
            discountMinor,
            smaller(coupon.value, sum(bought.map((each, index) => (mine[index] ? each.lineTotalMinor : 0n)))),
          )
      }),
    )
  })
