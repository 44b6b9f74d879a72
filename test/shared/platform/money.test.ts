import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  allocate,
  currencyDigits,
  parseMinor,
  proportion,
  sum,
  toMajor,
  toMinor,
} from '#shared/platform/money.ts'
import { ValidationError } from '#shared/platform/validation.ts'

test('a currency has the decimals in use', () => {
  assert.deepEqual(['EUR', 'JPY', 'KWD'].map(currencyDigits), [2, 0, 3])
})

const READABLE: [text: string, currency: string, minor: bigint][] = [
  ['19.99', 'EUR', 1_999n],
  ['19.9', 'EUR', 1_990n],
  ['19', 'EUR', 1_900n],
  ['19.990', 'EUR', 1_999n],
  ['0', 'EUR', 0n],
  ['-5.25', 'EUR', -525n],
  ['1500', 'JPY', 1_500n],
  ['1.234', 'KWD', 1_234n],
  ['9007199254740.93', 'EUR', 900_719_925_474_093n],
]

for (const [text, currency, minor] of READABLE)
  test(`"${text}" in ${currency} is ${minor} minor units`, () => {
    assert.equal(parseMinor(text, currency), minor)
  })

for (const text of ['19.999', '1e3', '', '.5', '5.', '1,5', '0x10', 'Infinity', '--5', '1 000'])
  test(`"${text}" is no amount in EUR`, () => {
    assert.equal(parseMinor(text, 'EUR'), null)
  })

test('an amount with too many decimals throws a fault at its field', () => {
  assert.throws(
    () => toMinor(10.5, 'JPY', ['items', 0, 'amount']),
    (error: ValidationError) =>
      error instanceof ValidationError && error.faults[0]?.loc.join('.') === 'items.0.amount',
  )
})

test('toMajor reverses toMinor', () => {
  for (const amount of [0.1, 0.29, 1.005 * 100, 19.99, 1_234_567.89].map((n) => Math.round(n * 100) / 100))
    assert.equal(toMajor(toMinor(amount, 'EUR', []), 'EUR'), amount)
})

const SHARES: [amount: bigint, numerator: bigint, denominator: bigint, share: bigint][] = [
  [1_000n, 1n, 3n, 333n],
  [1_000n, 2n, 3n, 667n],
  [5n, 1n, 2n, 3n],
  [-5n, 1n, 2n, -3n],
  [0n, 1n, 7n, 0n],
  [1_999n, 19n, 119n, 319n],
]

for (const [amount, numerator, denominator, share] of SHARES)
  test(`${numerator}/${denominator} of ${amount} is ${share}: half rounds away from zero`, () => {
    assert.equal(proportion(amount, numerator, denominator), share)
  })

const ALLOCATED: [why: string, amount: bigint, weights: bigint[], shares: bigint[]][] = [
  ['even shares', 3_000n, [1_000n, 2_000n], [1_000n, 2_000n]],
  ['an indivisible cent', 100n, [1n, 1n, 1n], [33n, 34n, 33n]],
  ['a weight of zero', 1_000n, [0n, 1_000n], [0n, 1_000n]],
  ['none with weight', 0n, [0n, 0n], [0n, 0n]],
]

for (const [why, amount, weights, shares] of ALLOCATED)
  test(`allocate splits an amount by weights: ${why}`, () => {
    assert.deepEqual(allocate(amount, weights), shares)
  })

test('the shares of any weights sum to the amount, and none is negative', () => {
  const weights = fc.array(fc.bigInt(0n, 10n ** 9n), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(weights, fc.bigInt(0n, 10n ** 10n), (given, amount) => {
      const shares = allocate(amount, given)
      assert.equal(sum(shares), given.some((weight) => weight > 0n) ? amount : 0n)
      assert.ok(shares.every((share) => share >= 0n))
    }),
  )
})
