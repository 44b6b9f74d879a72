import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type BookingParts, splitBooking } from '#shared/refunds/calculate/split-booking.ts'

type Amounts = Record<'amount' | 'surplus' | 'order', bigint>

const CASES: Record<string, [Amounts, BookingParts]> = {
  'without a surplus the order gets the amount': [
    { amount: 500n, surplus: 0n, order: 800n },
    { surplusMinor: 0n, orderMinor: 500n, excessMinor: 0n },
  ],
  'a surplus is returned before the order is refunded': [
    { amount: 500n, surplus: 200n, order: 800n },
    { surplusMinor: 200n, orderMinor: 300n, excessMinor: 0n },
  ],
  'an amount below the surplus leaves the order unchanged': [
    { amount: 150n, surplus: 200n, order: 800n },
    { surplusMinor: 150n, orderMinor: 0n, excessMinor: 0n },
  ],
  'what neither the surplus nor the order has left is excess': [
    { amount: 1_000n, surplus: 200n, order: 300n },
    { surplusMinor: 200n, orderMinor: 300n, excessMinor: 500n },
  ],
  'an amount for an order with nothing left is excess': [
    { amount: 500n, surplus: 0n, order: 0n },
    { surplusMinor: 0n, orderMinor: 0n, excessMinor: 500n },
  ],
}

for (const [name, [{ amount, surplus, order }, parts]] of Object.entries(CASES))
  test(name, () => {
    assert.deepEqual(splitBooking(amount, { surplusMinor: surplus, orderMinor: order }), parts)
  })

const minor = fc.bigInt({ min: 0n, max: 10_000n })

test('surplus, order and excess sum to the refunded amount, and none exceeds what is owed', () => {
  fc.assert(
    fc.property(minor, minor, minor, (amount, surplus, order) => {
      const parts = splitBooking(amount, { surplusMinor: surplus, orderMinor: order })
      assert.equal(parts.surplusMinor + parts.orderMinor + parts.excessMinor, amount)
      assert.ok(parts.surplusMinor <= surplus && parts.orderMinor <= order && parts.excessMinor >= 0n)
    }),
  )
})
