import { randomInt } from 'node:crypto'
import { foldCase } from '#shared/platform/text.ts'

// Letters and digits that do not look alike.
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 16

/** Returns a random code of 78 bits, e.g. `7K3M-9QXZ-4TRB-WH2C`. */
export function newCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return (letters.match(/.{4}/g) ?? []).join('-')
}

const VISIBLE_LENGTH = 4

/**
 * Returns the last four letters of a code. They identify a voucher, but cannot be spent. Empty for a code of less than
 * eight letters, because four would reveal too much of it.
 */
export function codeEnd(code: string): string {
  const letters = [...code.replace(SEPARATORS, '')]
  return letters.length >= 2 * VISIBLE_LENGTH ? letters.slice(-VISIBLE_LENGTH).join('') : ''
}

const SEPARATORS = /[\s\p{Pd}]/gu

/** Returns the form in which codes are compared: case, dashes and spaces do not count. */
export const codeKey = (code: string): string => foldCase(code).replace(SEPARATORS, '')
