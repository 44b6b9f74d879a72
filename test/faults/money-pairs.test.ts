import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import type { Terms } from '#test/faults/histories/shop.ts'
import type { ActName } from '#test/faults/pairs/acts.ts'
import { runConcurrently } from '#test/faults/pairs/run-concurrently.ts'
import type { Situation } from '#test/faults/pairs/situations.ts'
import { turnsOf } from '#test/faults/pairs/turns.ts'

/** The orders of turns in which each pair of acts is played, of 13, and the terms of each of these, of 8. */
const TURNS_EACH = Number(process.env.TURNS_EACH ?? 2)
const TERMS_EACH = Number(process.env.TERMS_EACH ?? 1)

const TERMS: Terms[] = (['EUR', 'JPY', 'KWD', 'HUF'] as const).flatMap((currency) =>
  [false, true].map((pricesIncludeTax) => ({ currency, pricesIncludeTax })),
)

const GIVES_BACK: ActName[] = [
  'a refund of a unit',
  'a refund in the dashboard',
  'an opened dispute',
  'a lost dispute',
]

const OF_VOUCHERS: ActName[] = [
  'a refund of all units by override',
  'a refund of a bought voucher',
  'a deduction from the bought voucher',
  'a refund of a unit',
  'a refund in the dashboard',
  'a lost dispute',
  'the end of a refund',
  'a second payment',
]

/** The acts of an order in each situation. Every act meets each one after it, and itself. */
const ACTS_IN: Record<Situation, ActName[]> = {
  paid: [...GIVES_BACK, 'a second payment'],
  paidSlowly: [...GIVES_BACK, 'the end of a refund'],
  returned: ['the refund of a return', ...GIVES_BACK, 'a second payment'],
  toReplace: ['a replacement', ...GIVES_BACK, 'a second payment'],
  withVoucher: OF_VOUCHERS,
  replacedWithVoucher: OF_VOUCHERS,
  takenBack: ['the payment', 'a payment outside the gateway', 'the expiry'],
}

const pairsOf = (names: readonly ActName[], isFirstWithAll: boolean): [ActName, ActName][] =>
  names.flatMap((one, index) =>
    isFirstWithAll && index > 0 ? [] : names.slice(index).map((other): [ActName, ActName] => [one, other]),
  )

/** Some of a list, at even distances from its end. */
const spread = <T>(list: readonly T[], some: number): T[] => {
  const distance = Math.max(1, list.length / some)
  return list.toReversed().filter((_, index) => Math.floor(index % distance) === 0)
}

let count = 0

// The acts on any paid order are paired there.
for (const situation of Object.keys(ACTS_IN) as Situation[])
  for (const acts of pairsOf(ACTS_IN[situation], situation === 'returned' || situation === 'toReplace'))
    test(`${situation}: ${acts[0]} meets ${acts[1]}`, async () => {
      for (const turns of spread(turnsOf(acts), TURNS_EACH))
        for (let each = 0; each < TERMS_EACH; each++) {
          const terms = TERMS[count++ % TERMS.length] as Terms
          try {
            await runConcurrently({ terms, situation, acts, turns })
          } catch (error) {
            const where = `${terms.currency}, ${terms.pricesIncludeTax ? 'gross' : 'net'}, turns ${turns.join(' ')}`
            throw new Error(where, { cause: error })
          }
        }
    })
