import { ACTS, type ActName, type Sale } from './acts.ts'
import type { Pair } from './run-concurrently.ts'

type Turns = Pair['turns']

const NO_SALE: Sale = { storeId: '', orderId: '' }

/** The orders in which the steps of two acts can alternate, and those in which two of their steps coincide. */
export function turnsOf([a, b]: Pair['acts']): Turns[] {
  const left = (act: ActName) => ACTS[act](NO_SALE).length
  const all = orders(left(a), left(b))
  // The same act twice: the mirrored order is the same.
  return a === b ? all.filter((turns) => turns[0] !== 'b') : all
}

function orders(a: number, b: number): Turns[] {
  if (a === 0 && b === 0) return [[]]
  const after = (turn: Turns[number], rest: Turns[]): Turns[] => rest.map((turns) => [turn, ...turns])
  return [
    ...(a > 0 ? after('a', orders(a - 1, b)) : []),
    ...(b > 0 ? after('b', orders(a, b - 1)) : []),
    ...(a > 0 && b > 0 ? after('both', orders(a - 1, b - 1)) : []),
  ]
}
