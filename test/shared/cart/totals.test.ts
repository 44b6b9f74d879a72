import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lineTotal, totalsOf } from '#shared/cart/totals.ts'
import { parseMinor, sum, toMajor } from '#shared/platform/money.ts'

/** Lines as [unit price, quantity], then what comes on top; amounts as people write them. */
const TABLE: [currency: string, lines: [string, number][], more: object, subtotal: string, total: string][] =
  [
    ['EUR', [], {}, '0', '0'],
    ['EUR', [['19.99', 3]], {}, '59.97', '59.97'],
    [
      'EUR',
      [
        ['0.10', 3],
        ['0.20', 1],
      ],
      { shipping: '4.90' },
      '0.50',
      '5.40',
    ],
    ['EUR', [['10', 2]], { discount: '5', tax: '2.85' }, '20', '17.85'],
    ['EUR', [['10', 2]], { discount: '25', shipping: '4.90' }, '20', '4.90'],
    ['EUR', [['0', 999]], { shipping: '0' }, '0', '0'],
    [
      'JPY',
      [
        ['1200', 2],
        ['1', 1],
      ],
      { shipping: '500' },
      '2401',
      '2901',
    ],
    ['KWD', [['1.005', 3]], { shipping: '0.250' }, '3.015', '3.265'],
  ]

const minor = (amount: string | undefined, currency: string) => parseMinor(amount ?? '0', currency) ?? 0n

for (const [currency, lines, more, subtotal, total] of TABLE) {
  const { shipping, discount, tax } = more as { shipping?: string; discount?: string; tax?: string }
  test(`${currency} ${JSON.stringify(lines)} ${JSON.stringify(more)} comes to ${total}`, () => {
    const totals = totalsOf(
      lines.map(([price, quantity]) => ({ unitPriceMinor: minor(price, currency), quantity })),
      {
        shippingMinor: minor(shipping, currency),
        discountMinor: minor(discount, currency),
        taxMinor: minor(tax, currency),
      },
    )

    assert.equal(totals.subtotalMinor, minor(subtotal, currency))
    assert.equal(totals.totalMinor, minor(total, currency))
    assert.equal(toMajor(totals.totalMinor, currency), Number(total))
  })
}

const amount = fc.bigInt({ min: 0n, max: 10n ** 12n })
const line = fc.record({ unitPriceMinor: amount, quantity: fc.integer({ min: 1, max: 999 }) })

test('the parts sum up to the total, and a discount never exceeds the subtotal', () => {
  fc.assert(
    fc.property(fc.array(line), amount, amount, amount, (lines, discountMinor, shippingMinor, taxMinor) => {
      const totals = totalsOf(lines, { discountMinor, shippingMinor, taxMinor })

      assert.equal(totals.subtotalMinor, sum(lines.map(lineTotal)))
      assert.ok(totals.discountMinor <= totals.subtotalMinor)
      assert.equal(
        totals.totalMinor,
        totals.subtotalMinor - totals.discountMinor + totals.shippingMinor + totals.taxMinor,
      )
      assert.ok(totals.totalMinor >= 0n)
    }),
  )
})
