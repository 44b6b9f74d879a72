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

/** The form in which codes are compared: case, dashes and spaces do not count. */
export const codeKey = (code: string): string => foldCase(code).replace(/[\s\p{Pd}]/gu, '')
