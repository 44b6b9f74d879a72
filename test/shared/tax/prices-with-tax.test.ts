import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseMinor, sum } from '#shared/platform/money.ts'
import { toPpm } from '#shared/tax/percent.ts'
import { priceConverter, priceFactorsByClass } from '#shared/tax/price-converter.ts'
import { taxesIn } from '#shared/tax/rate-arithmetic.ts'
import { taxCalculator, taxParts } from '#shared/tax/tax-calculator.ts'
import type { TaxRules } from '#shared/tax/tax-rules.ts'

/** Gross amounts with the taxes that invoices show for them. `+` is a compound rate. */
const INVOICES: [where: string, currency: string, gross: string, rates: string[], taxes: string[]][] = [
  ['Germany', 'EUR', '119.00', ['19'], ['19.00']],
  ['Germany', 'EUR', '107.00', ['7'], ['7.00']],
  ['Germany', 'EUR', '49.99', ['19'], ['7.98']],
  ['Germany', 'EUR', '9.99', ['7'], ['0.65']],
  ['Germany', 'EUR', '0.01', ['19'], ['0.00']],
  ['Austria', 'EUR', '24.90', ['20'], ['4.15']],
  ['Austria', 'EUR', '11.00', ['10'], ['1.00']],
  ['France', 'EUR', '59.00', ['20'], ['9.83']],
  ['France', 'EUR', '21.10', ['5.5'], ['1.10']],
  ['France', 'EUR', '10.21', ['2.1'], ['0.21']],
  ['Netherlands', 'EUR', '99.90', ['21'], ['17.34']],
  ['Ireland, the fraction 23/123', 'EUR', '123.00', ['23'], ['23.00']],
  ['Hungary', 'HUF', '12700', ['27'], ['2700']],
  ['Sweden', 'SEK', '29.99', ['25'], ['6.00']],
  ['United Kingdom, the VAT fraction 1/6', 'GBP', '117.48', ['20'], ['19.58']],
  ['United Kingdom, the VAT fraction 1/21', 'GBP', '10.50', ['5'], ['0.50']],
  ['Switzerland', 'CHF', '108.10', ['8.1'], ['8.10']],
  ['Japan', 'JPY', '1100', ['10'], ['100']],
  ['Japan', 'JPY', '1079', ['8'], ['80']],
  ['a currency of three digits', 'KWD', '1.050', ['5'], ['0.050']],
  ['two rates beside each other', 'CAD', '114.98', ['5', '9.975'], ['5.00', '9.98']],
  ['a rate on top of a rate', 'CAD', '115.24', ['5', '+9.75'], ['5.00', '10.24']],
  ['no rate', 'EUR', '100.00', [], []],
  ['a rate of zero', 'EUR', '100.00', ['0'], ['0.00']],
]

const rateOf = (text: string) => ({ ratePpm: toPpm(Number(text)), isCompound: text.startsWith('+') })

for (const [where, currency, gross, rates, taxes] of INVOICES)
  test(`${where}: ${gross} ${currency} contains ${taxes.join(' and ') || 'no tax'} at ${rates.join(' and ') || 'no'} %`, () => {
    const minor = (text: string) => parseMinor(text, currency) ?? -1n

    const contained = taxesIn(rates.map(rateOf))(minor(gross))

    assert.deepEqual(contained, taxes.map(minor))
  })

const rate = (percent: number, taxClassId = 'standard') => ({
  id: `${taxClassId} ${percent}`,
  name: `${percent} %`,
  taxClassId,
  ratePpm: toPpm(percent),
  isCompound: false,
})

/** A buyer where rates apply, of a store whose prices include others. */
const rules = (rates: number[], included: number[] | null): TaxRules => ({
  rates: rates.map((percent) => rate(percent)),
  defaultClassId: 'standard',
  includedRates: included?.map((percent) => rate(percent)) ?? null,
})

const PRICES: [what: string, entered: bigint, rules: TaxRules, price: bigint][] = [
  ['a net price stays, whatever the rate', 10_000n, rules([19], null), 10_000n],
  ['a gross price stays at home', 11_900n, rules([19], [19]), 11_900n],
  ['a kept gross price stays abroad', 11_900n, rules([20], [20]), 11_900n],
  ['a kept net price bears the rate of the destination', 11_900n, rules([20], [19]), 12_000n],
  ['a kept net price is net where no tax applies', 11_900n, rules([], [19]), 10_000n],
  ['a kept net price of 49.99 is 52.51 at 25 %', 4_999n, rules([25], [19]), 5_251n],
  ['an exempt buyer pays the net price', 4_999n, rules([], [19]), 4_201n],
  ['a price without tax at home bears the rate of the destination', 10_000n, rules([20], []), 12_000n],
]

for (const [what, entered, given, price] of PRICES)
  test(what, () => {
    assert.equal(priceConverter(given)(entered, null), price)
  })

test('the tax within a price, by rate, leaves the price as it is', () => {
  const included = [rate(19), rate(7, 'reduced')]
  const given: TaxRules = { rates: included, defaultClassId: 'standard', includedRates: included }
  const amounts = [
    { amountMinor: 11_900n, taxClassId: null },
    { amountMinor: 999n, taxClassId: 'reduced' },
    { amountMinor: 490n, taxClassId: 'standard' },
  ]

  const parts = taxParts(given, amounts)

  assert.partialDeepStrictEqual(parts, [
    { name: '19 %', ratePpm: 190_000, taxMinor: 1_978n, netMinor: 10_412n },
    { name: '7 %', ratePpm: 70_000, taxMinor: 65n, netMinor: 934n },
  ])
})

const amount = fc.bigInt(0n, 10n ** 12n)
const rates = fc.array(
  fc.record({ ratePpm: fc.integer({ min: 0, max: 10_000_000 }), isCompound: fc.boolean() }),
  {
    maxLength: 4,
  },
)

test('taxes within an amount are never negative, and never more than the amount', () => {
  fc.assert(
    fc.property(amount, rates, (grossMinor, given) => {
      const taxes = taxesIn(given)(grossMinor)

      assert.ok(taxes.every((tax) => tax >= 0n))
      assert.ok(sum(taxes) <= grossMinor)
    }),
  )
})

test('the tax that a gross amount contains is the tax that was added to its net amount', () => {
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 1_000_000 }), (netMinor, ratePpm) => {
      const applied = [{ ...rate(0), ratePpm }]
      const net: TaxRules = { rates: applied, defaultClassId: 'standard', includedRates: null }
      const taxMinor = taxCalculator(net)(netMinor, null)

      const within = taxCalculator({ ...net, includedRates: applied })(netMinor + taxMinor, null)

      assert.equal(within, taxMinor)
    }),
  )
})

test('the factors of a class give the price and its net price', () => {
  fc.assert(
    fc.property(
      amount,
      fc.integer({ min: 0, max: 10_000_000 }),
      fc.integer({ min: 0, max: 10_000_000 }),
      (...drawn) => {
        const [entered, here, home] = drawn
        const given: TaxRules = {
          rates: [{ ...rate(0), ratePpm: here }],
          defaultClassId: 'standard',
          includedRates: [{ ...rate(0), ratePpm: home }],
        }
        const { from, to, net, gross, ratePpm } = priceFactorsByClass(given).get('standard') ?? assert.fail()

        const price = (entered * to + from / 2n) / from

        assert.equal(price, priceConverter(given)(entered, null))
        assert.equal(
          price - (price * (gross - net) + gross / 2n) / gross,
          price - taxCalculator(given)(price, null),
        )
        assert.equal(ratePpm, here)
      },
    ),
  )
})

/** Rules whose prices include a rate, and a count of the times that its percentage was read. */
function countedRules() {
  let reads = 0
  const counted = {
    ...rate(19),
    get ratePpm() {
      reads += 1
      return 190_000
    },
  }
  const counting: TaxRules = { rates: [counted], defaultClassId: 'standard', includedRates: [counted] }
  return { counting, reads: () => reads }
}

test('the ratio of a class is computed once, however many prices are converted or taxed', () => {
  const converted = countedRules()
  const taxed = countedRules()
  const priceOf = priceConverter(converted.counting)
  const taxOn = taxCalculator(taxed.counting)
  priceOf(100n, null)
  taxOn(100n, null)
  const first = { converted: converted.reads(), taxed: taxed.reads() }

  for (let n = 0; n < 500; n++) {
    priceOf(BigInt(n), null)
    taxOn(BigInt(n), null)
  }

  assert.deepEqual({ converted: converted.reads(), taxed: taxed.reads() }, first)
})
