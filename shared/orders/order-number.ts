import { randomBytes } from 'node:crypto'

/** Crockford's base 32: no letter looks like a digit. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * A new order's number, such as `7K3M9-QXZ4T`. It is drawn, not counted: a counter would make every checkout of a
 * store wait for one row, and would tell anyone how much the store sells.
 */
export function newOrderNumber(): string {
  const letters = [...randomBytes(10)].map((byte) => LETTERS[byte % LETTERS.length]).join('')
  return `${letters.slice(0, 5)}-${letters.slice(5)}`
}
