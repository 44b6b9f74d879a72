import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromRefundedUnits, fromStripeUnits, toStripeUnits } from '#workers/gateways/stripe/stripe-units.ts'

const ROWS: [minor: bigint, currency: string, units: number][] = [
  [1_999n, 'EUR', 1_999],
  [500n, 'JPY', 500],
  [10_250n, 'KWD', 10_250],
  [7n, 'UGX', 700],
  [7n, 'ISK', 700],
  [3n, 'MGA', 3],
]

for (const [minor, currency, units] of ROWS)
  test(`${minor} minor ${currency} are ${units} in Stripe's units, and convert back`, () => {
    assert.equal(toStripeUnits(minor, currency), units)
    assert.equal(fromStripeUnits(units, currency.toLowerCase()), minor)
    const refunded = { amountMinor: minor, roundedUpPpm: 0 }
    assert.deepEqual(fromRefundedUnits(units, currency.toLowerCase()), refunded)
  })

test('refunded units of a fraction of a forint are rounded up, and the rounding is stated', () => {
  assert.deepEqual(fromRefundedUnits(125_030, 'huf'), { amountMinor: 1_251n, roundedUpPpm: 700_000 })
})

const REFUSED: [why: string, minor: bigint, currency: string][] = [
  ['a third decimal that is not zero', 10_255n, 'KWD'],
  ['more than a number holds exactly', 2n ** 53n, 'EUR'],
]

for (const [why, minor, currency] of REFUSED)
  test(`a GatewayRefusal: ${why}`, () => {
    assert.throws(() => toStripeUnits(minor, currency), { reason: 'amount_not_expressible' })
  })
