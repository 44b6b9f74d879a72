import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseMinor, sum } from '#shared/platform/money.ts'
import { ValidationError } from '#shared/platform/validation.ts'
import { toPercent, toPpm } from '#shared/tax/percent.ts'
import { taxesOn } from '#shared/tax/rate-arithmetic.ts'
import { taxCalculator, taxParts } from '#shared/tax/tax-calculator.ts'
import { NO_TAX } from '#shared/tax/tax-rules.ts'

/** An amount, the rates it bears in the order of their priorities (`+` is compound), and what each of them adds. */
const TABLE: [currency: string, amount: string, rates: string[], taxes: string[]][] = [
  ['EUR', '100', [], []],
  ['EUR', '100', ['19'], ['19']],
  ['EUR', '100', ['0'], ['0']],
  ['EUR', '0', ['19'], ['0']],
  ['EUR', '0.02', ['19'], ['0']],
  ['EUR', '0.03', ['19'], ['0.01']],
  ['EUR', '0.50', ['7'], ['0.04']],
  ['EUR', '0.50', ['5'], ['0.03']],
  ['EUR', '0.49', ['5'], ['0.02']],
  ['EUR', '19.99', ['7.7'], ['1.54']],
  ['EUR', '8', ['0.0625'], ['0.01']],
  ['EUR', '7.99', ['0.0625'], ['0']],
  ['EUR', '9999999999.99', ['19'], ['1900000000']],
  ['EUR', '100', ['1000'], ['1000']],
  ['CAD', '100', ['5', '9.975'], ['5', '9.98']],
  ['CAD', '100', ['5', '+9.5'], ['5', '9.98']],
  ['CAD', '10.05', ['5', '+9.975'], ['0.50', '1.05']],
  ['INR', '100', ['9', '9', '+1'], ['9', '9', '1.18']],
  ['JPY', '5', ['10'], ['1']],
  ['JPY', '4', ['10'], ['0']],
  ['JPY', '1234', ['8'], ['99']],
  ['JPY', '1235', ['10'], ['124']],
  ['KWD', '1.005', ['5'], ['0.050']],
  ['KWD', '1.010', ['5'], ['0.051']],
  ['KWD', '0.001', ['50'], ['0.001']],
]

for (const [currency, amount, rates, taxes] of TABLE)
  test(`${amount} ${currency} at ${rates.join(' and ') || 'nothing'} bears ${taxes.join(' and ') || 'no tax'}`, () => {
    const minor = (text: string) => parseMinor(text, currency) ?? -1n

    const taxesOf = taxesOn(
      rates.map((rate) => ({ ratePpm: toPpm(Number(rate)), isCompound: rate.startsWith('+') })),
    )

    const borne = taxesOf(minor(amount))

    assert.deepEqual(borne, taxes.map(minor))
  })

const rate = (taxClassId: string, percent: number) => ({
  id: `${taxClassId} ${percent}`,
  name: `${percent} %`,
  taxClassId,
  ratePpm: toPpm(percent),
  isCompound: false,
})

test('an amount bears the rates of its class, and of the default class when it has none', () => {
  const rates = [rate('standard', 19), rate('reduced', 7), rate('standard', 1)]

  const taxOn = taxCalculator({ ...NO_TAX, rates, defaultClassId: 'reduced' })

  assert.deepEqual(
    ['standard', 'reduced', 'exempt', null].map((taxClassId) => taxOn(1_000n, taxClassId)),
    [200n, 70n, 0n, 70n],
  )
  assert.equal(taxCalculator({ ...NO_TAX, rates })(1_000n, null), 0n)
})

test('the parts of a tax by rate sum up to it, over all amounts', () => {
  const rules = {
    ...NO_TAX,
    rates: [rate('standard', 19), rate('standard', 1), rate('reduced', 7)],
    defaultClassId: 'reduced',
  }
  const amounts = [
    { amountMinor: 999n, taxClassId: 'standard' },
    { amountMinor: 333n, taxClassId: null },
    { amountMinor: 333n, taxClassId: 'reduced' },
    { amountMinor: 500n, taxClassId: 'exempt' },
  ]

  const parts = taxParts(rules, amounts)

  assert.partialDeepStrictEqual(parts, [
    { name: '19 %', ratePpm: 190_000, taxMinor: 190n, netMinor: 999n },
    { name: '1 %', ratePpm: 10_000, taxMinor: 10n, netMinor: 999n },
    { name: '7 %', ratePpm: 70_000, taxMinor: 46n, netMinor: 666n },
  ])
  const taxOn = taxCalculator(rules)
  assert.equal(
    sum(parts.map(({ taxMinor }) => taxMinor)),
    sum(amounts.map(({ amountMinor, taxClassId }) => taxOn(amountMinor, taxClassId))),
  )
})

test('a tax is never more than half a minor unit off, and never negative', () => {
  const amounts = fc.bigInt({ min: 0n, max: 10n ** 12n })
  const rates = fc.array(fc.integer({ min: 0, max: 10_000_000 }), { maxLength: 4 })
  fc.assert(
    fc.property(amounts, rates, (amountMinor, ppms) => {
      const taxesOf = taxesOn(ppms.map((ratePpm) => ({ ratePpm, isCompound: false })))

      const taxes = taxesOf(amountMinor)

      for (const [index, ppm] of ppms.entries()) {
        const off = (taxes[index] ?? -1n) * 1_000_000n - amountMinor * BigInt(ppm)
        assert.ok(off <= 500_000n && off >= -500_000n)
      }
      assert.ok(sum(taxes) >= 0n)
    }),
    { numRuns: 50 },
  )
})

test('a percentage has at most four decimals and is kept exactly', () => {
  for (const percent of [0, 7, 7.7, 19, 8.875, 0.0001, 9.9999, 999.9999, 1000])
    assert.equal(toPercent(toPpm(percent)), percent)
  for (const percent of [0.00001, 19.12345, 1e-7, Number.NaN, Number.POSITIVE_INFINITY, -1])
    assert.throws(() => toPpm(percent), ValidationError)
})
