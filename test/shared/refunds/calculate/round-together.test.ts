import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sum } from '#shared/platform/money.ts'
import {
  findRoundingChanges,
  MINOR_UNIT_PPM,
  type RoundedUp,
  roundTogether,
} from '#shared/refunds/calculate/round-together.ts'

/** An exact amount in millionths of a minor unit, rounded up to a whole minor unit. */
const roundUp = (exactPpm: number): RoundedUp => {
  const amount = Math.ceil(exactPpm / MINOR_UNIT_PPM)
  return { amountMinor: BigInt(amount), roundedUpPpm: amount * MINOR_UNIT_PPM - exactPpm }
}

const exactAmounts = fc.array(fc.integer({ min: 1, max: 50 * MINOR_UNIT_PPM }), {
  minLength: 1,
  maxLength: 8,
})

test('the refund after which the roundings make a minor unit is one minor unit smaller', () => {
  const second = roundTogether(roundUp(1_400_000), [{ roundedUpPpm: 600_000 }])

  assert.deepEqual(second, { amountMinor: 1n, roundedUpPpm: -400_000 })
})

test('refunds that are rounded one after the other exceed their exact sum by less than a minor unit', () => {
  fc.assert(
    fc.property(exactAmounts, (amounts) => {
      const refunds: RoundedUp[] = []
      for (const exactPpm of amounts) refunds.push(roundTogether(roundUp(exactPpm), refunds))
      const exact = amounts.reduce((total, ppm) => total + ppm, 0)
      assert.equal(sum(refunds.map(({ amountMinor }) => amountMinor)), roundUp(exact).amountMinor)
    }),
  )
})

test('when some of the refunds fail, the changes restore the rounded sum of the others', () => {
  fc.assert(
    fc.property(
      exactAmounts,
      fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      (amounts, succeeded) => {
        const refunds: (RoundedUp & { id: string; exactPpm: number })[] = []
        for (const [index, exactPpm] of amounts.entries())
          refunds.push({ id: `${index}`, exactPpm, ...roundTogether(roundUp(exactPpm), refunds) })
        const left = refunds.filter((_, index) => succeeded[index])

        const changes = findRoundingChanges(left)

        const amountMinor = sum([
          ...left.map((refund) => refund.amountMinor),
          ...changes.map((change) => change.moreMinor),
        ])
        const exact = left.reduce((total, { exactPpm }) => total + exactPpm, 0)
        assert.equal(amountMinor, roundUp(exact).amountMinor)
      },
    ),
  )
})
