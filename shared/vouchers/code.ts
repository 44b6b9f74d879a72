import { randomInt } from 'node:crypto'
import { foldCase } from '#shared/platform/text.ts'

// No letter looks like a digit or like another letter.
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 16

/** A code that nobody can guess (78 bits), such as `7K3M-9QXZ-4TRB-WH2C`. */
export function newCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return (letters.match(/.{4}/g) ?? []).join('-')
}

/** The form in which codes are compared: however it is written, with or without dashes and spaces. */
export const codeKey = (code: string): string => foldCase(code).replace(/[\s\p{Pd}]/gu, '')
