import { randomInt } from 'node:crypto'
import { foldCase } from '#shared/platform/text.ts'

// Without letters and digits that look alike.
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 16

/** A random code of 78 bits, e.g. `7K3M-9QXZ-4TRB-WH2C`. */
export function newCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return (letters.match(/.{4}/g) ?? []).join('-')
}

const VISIBLE_LENGTH = 4

/**
 * The last four letters of a code, which identify a voucher and cannot be spent. Empty for a code of less than eight
 * letters: of such a one they would be too much.
 */
export function codeEnd(code: string): string {
  const letters = [...code.replace(SEPARATORS, '')]
  return letters.length >= 2 * VISIBLE_LENGTH ? letters.slice(-VISIBLE_LENGTH).join('') : ''
}

const SEPARATORS = /[\s\p{Pd}]/gu

/** The form in which codes are compared: case, dashes and spaces do not count. */
export const codeKey = (code: string): string => foldCase(code).replace(SEPARATORS, '')
