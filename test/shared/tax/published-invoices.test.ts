import assert from 'node:assert/strict'
import { test } from 'node:test'
import { priceCart } from '#shared/cart/price-cart.ts'
import { parseMinor } from '#shared/platform/money.ts'
import { toPpm } from '#shared/tax/percent.ts'
import { taxCalculator, taxParts } from '#shared/tax/tax-calculator.ts'
import type { TaxRules } from '#shared/tax/tax-rules.ts'

interface PublishedInvoice {
  currency: string
  /** Amounts without tax and their rates, in percent. */
  lines: { net: string; percent: number }[]
  /** The tax of each rate, as the invoice shows it. */
  taxes: { percent: number; net: string; tax: string }[]
  total: string
}

/**
 * Invoices of the European Union that are published as examples of the standard EN 16931: those of CEN, TC 434
 * (github.com/ConnectingEurope/eInvoicing-EN16931, ubl/examples), and of the German authority for IT standards
 * (github.com/itplr-kosit/xrechnung-testsuite).
 */
const INVOICES: Record<string, PublishedInvoice> = {
  'ubl-tc434-example1, the Netherlands': {
    currency: 'EUR',
    lines: [
      // The goods at 6 %, less those that came back.
      { net: '183.23', percent: 6 },
      { net: '10.80', percent: 21 },
      { net: '7.60', percent: 21 },
      { net: '9.34', percent: 21 },
      { net: '18.63', percent: 21 },
    ],
    taxes: [
      { percent: 6, net: '183.23', tax: '10.99' },
      { percent: 21, net: '46.37', tax: '9.74' },
    ],
    total: '250.33',
  },
  'ubl-tc434-example4, Denmark': {
    currency: 'DKK',
    lines: [
      { net: '1000.00', percent: 25 },
      { net: '500.00', percent: 25 },
      { net: '2500.00', percent: 12 },
    ],
    taxes: [
      { percent: 25, net: '1500.00', tax: '375.00' },
      { percent: 12, net: '2500.00', tax: '300.00' },
    ],
    total: '4675.00',
  },
  'BIS3_Invoice_positive, Denmark': {
    currency: 'DKK',
    lines: [{ net: '625743.54', percent: 25 }],
    taxes: [{ percent: 25, net: '625743.54', tax: '156435.89' }],
    total: '782179.43',
  },
  'XRechnung 01.01a, Germany': {
    currency: 'EUR',
    lines: [
      { net: '288.79', percent: 7 },
      { net: '26.07', percent: 7 },
    ],
    taxes: [{ percent: 7, net: '314.86', tax: '22.04' }],
    total: '336.90',
  },
}

for (const [name, { currency, lines, taxes, total }] of Object.entries(INVOICES)) {
  const minor = (text: string) => parseMinor(text, currency) ?? assert.fail(text)
  const rates = taxes.map(({ percent }) => ({
    id: `${percent}`,
    name: `${percent} %`,
    taxClassId: `${percent}`,
    ratePpm: toPpm(percent),
    isCompound: false,
  }))
  const net: TaxRules = { rates, defaultClassId: null, includedRates: null }
  const netLines = lines.map(({ net: amount, percent }) => ({
    lineTotalMinor: minor(amount),
    taxClassId: `${percent}`,
  }))

  test(`a net store adds the tax of the published invoice ${name}`, () => {
    assertInvoice(netLines, net)
  })

  test(`a gross store takes the tax of the published invoice ${name} out of its total`, () => {
    const taxOn = taxCalculator(net)
    const grossLines = netLines.map(({ lineTotalMinor, taxClassId }) => ({
      lineTotalMinor: lineTotalMinor + taxOn(lineTotalMinor, taxClassId),
      taxClassId,
    }))

    assertInvoice(grossLines, { ...net, includedRates: rates })
  })

  function assertInvoice(entered: typeof netLines, rules: TaxRules): void {
    const pricesIncludeTax = rules.includedRates !== null
    const { totals } = priceCart(entered, { taxOn: taxCalculator(rules), pricesIncludeTax })
    const parts = taxParts(
      rules,
      entered.map(({ lineTotalMinor: amountMinor, taxClassId }) => ({ amountMinor, taxClassId })),
    )

    assert.equal(totals.totalMinor, minor(total))
    assert.deepEqual(
      parts.map(({ taxClassId, netMinor, taxMinor }) => ({ taxClassId, netMinor, taxMinor })),
      taxes.map(({ percent, net: amount, tax }) => ({
        taxClassId: `${percent}`,
        netMinor: minor(amount),
        taxMinor: minor(tax),
      })),
    )
  }
}
