import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sum } from '#shared/platform/money.ts'
import { amountOfUnits } from '#shared/refunds/calculate/amount-of-units.ts'

test('three units for 1.00 are refunded with 0.33, 0.34 and 0.33', () => {
  const parts = [0, 1, 2].map((refundedQuantity) =>
    amountOfUnits(
      { totalMinor: 100n, quantity: 3, refundedQuantity },
      [0n, 33n, 67n][refundedQuantity] ?? 0n,
      1,
    ),
  )

  assert.deepEqual(parts, [33n, 34n, 33n])
})

test('the refunds of all units of a line add up to its price', () => {
  const pieces = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(pieces, fc.bigInt(0n, 10n ** 9n), (counts, paid) => {
      const quantity = counts.reduce((total, count) => total + count, 0)
      let refundedQuantity = 0
      let refundedMinor = 0n
      const parts = counts.map((count) => {
        const part = amountOfUnits({ totalMinor: paid, quantity, refundedQuantity }, refundedMinor, count)
        refundedQuantity += count
        refundedMinor += part
        return part
      })
      assert.equal(sum(parts), paid)
    }),
  )
})
