import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  cardChargeMinor,
  cardStepMinor,
  maxChargeMinor,
  minChargeMinor,
  roundForCard,
} from '#shared/payment-methods/card-rules.ts'
import { parseMinor } from '#shared/platform/money.ts'
import { assertChargeable, assertStep } from '#test/sandbox/gateway/amount-rules.ts'
import { toStripeUnits } from '#workers/gateways/stripe/stripe-units.ts'

interface Rule {
  currency: string
  step: string
  minimum: string
  maximum: string
}

/** Major units. */
const RULES: Rule[] = [
  { currency: 'USD', step: '0.01', minimum: '0.50', maximum: '999999.99' },
  { currency: 'AED', step: '0.01', minimum: '2.00', maximum: '999999.99' },
  { currency: 'AUD', step: '0.01', minimum: '0.50', maximum: '999999.99' },
  { currency: 'BGN', step: '0.01', minimum: '1.00', maximum: '999999.99' },
  { currency: 'BRL', step: '0.01', minimum: '0.50', maximum: '999999.99' },
  { currency: 'CAD', step: '0.01', minimum: '0.50', maximum: '999999.99' },
  { currency: 'CHF', step: '0.01', minimum: '0.50', maximum: '999999.99' },
  { currency: 'CZK', step: '0.01', minimum: '15.00', maximum: '999999.99' },
  { currency: 'DKK', step: '0.01', minimum: '2.50', maximum: '999999.99' },
  { currency: 'EUR', step: '0.01', minimum: '0.50', maximum: '999999.99' },
  { currency: 'GBP', step: '0.01', minimum: '0.30', maximum: '999999.99' },
  { currency: 'HKD', step: '0.01', minimum: '4.00', maximum: '999999.99' },
  { currency: 'HUF', step: '1', minimum: '175', maximum: '999999' },
  { currency: 'INR', step: '0.01', minimum: '0.50', maximum: '999999.99' },
  { currency: 'JPY', step: '1', minimum: '50', maximum: '99999999' },
  { currency: 'MXN', step: '0.01', minimum: '10', maximum: '999999.99' },
  { currency: 'MYR', step: '0.01', minimum: '2', maximum: '999999.99' },
  { currency: 'NOK', step: '0.01', minimum: '3.00', maximum: '999999.99' },
  { currency: 'NZD', step: '0.01', minimum: '0.50', maximum: '999999.99' },
  { currency: 'PLN', step: '0.01', minimum: '2.00', maximum: '999999.99' },
  { currency: 'RON', step: '0.01', minimum: '2.00', maximum: '999999.99' },
  { currency: 'SEK', step: '0.01', minimum: '3.00', maximum: '999999.99' },
  { currency: 'SGD', step: '0.01', minimum: '0.50', maximum: '999999.99' },
  { currency: 'THB', step: '0.01', minimum: '10', maximum: '999999.99' },
  ...['BHD', 'JOD', 'KWD', 'OMR', 'TND'].map((currency) => ({
    currency,
    step: '0.010',
    minimum: '0.010',
    maximum: '99999.990',
  })),
  ...['ISK', 'UGX'].map((currency) => ({ currency, step: '1', minimum: '1', maximum: '999999' })),
  { currency: 'TWD', step: '0.01', minimum: '0.01', maximum: '999999.99' },
  ...'BIF CLP DJF GNF KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'
    .split(' ')
    .map((currency) => ({ currency, step: '1', minimum: '1', maximum: '99999999' })),
]

/** Throws as Stripe does for a charge. */
const chargeAtSandbox = (amountMinor: bigint, currency: string) =>
  assertChargeable(toStripeUnits(amountMinor, currency), currency.toLowerCase())

for (const { currency, step, minimum, maximum } of RULES) {
  const minor = (amount: string) => parseMinor(amount, currency)

  test(`a card pays ${minimum} to ${maximum} ${currency} in steps of ${step}`, () => {
    assert.deepEqual(
      {
        step: cardStepMinor(currency),
        minimum: minChargeMinor(currency),
        maximum: maxChargeMinor(currency),
      },
      { step: minor(step), minimum: minor(minimum), maximum: minor(maximum) },
    )
  })

  test(`the sandbox gateway accepts every charge in ${currency} that the rules allow`, () => {
    const dueMinor = fc.bigInt(1n, 2n * maxChargeMinor(currency))
    fc.assert(
      fc.property(dueMinor, (due) => {
        const charge = cardChargeMinor(due, currency)
        if (charge !== null) chargeAtSandbox(charge, currency)
        else assert.ok(due < minChargeMinor(currency) || due > maxChargeMinor(currency))
      }),
    )
    chargeAtSandbox(minChargeMinor(currency), currency)
    chargeAtSandbox(maxChargeMinor(currency), currency)
  })
}

const ROUNDED: [amountMinor: bigint, currency: string, rounded: bigint][] = [
  [1_337n, 'KWD', 1_340n],
  [1_334n, 'KWD', 1_330n],
  [1_335n, 'KWD', 1_340n],
  [4n, 'KWD', 0n],
  [1_337n, 'EUR', 1_337n],
  [1_337n, 'ISK', 1_337n],
]

for (const [amountMinor, currency, rounded] of ROUNDED)
  test(`${amountMinor} minor ${currency} are rounded to ${rounded}`, () => {
    assert.equal(roundForCard(amountMinor, currency), rounded)
  })

test('no rounding is more than half a step', () => {
  fc.assert(
    fc.property(fc.constantFrom(...RULES), fc.bigInt(0n, 10n ** 12n), ({ currency }, amount) => {
      const difference = roundForCard(amount, currency) - amount
      assert.ok(2n * difference <= cardStepMinor(currency) && -2n * difference < cardStepMinor(currency))
      assertStep(toStripeUnits(roundForCard(amount, currency), currency), currency.toLowerCase())
    }),
  )
})

test('an amount of 0 needs no charge, and one outside the limits has none', () => {
  assert.equal(cardChargeMinor(0n, 'EUR'), 0n)
  assert.equal(cardChargeMinor(49n, 'EUR'), null)
  assert.equal(cardChargeMinor(100_000_000n, 'EUR'), null)
  assert.equal(cardChargeMinor(4n, 'KWD'), null)
})
