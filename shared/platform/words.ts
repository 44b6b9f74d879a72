import { foldCase } from './text.ts'

const SEPARATORS = /[\s'’.,;()-]+/u
// A dot may be part of an address, as in `example.com`.
const SEARCH_SEPARATORS = /[\s'’,;()-]+/u
const PARTS = /(?<=^|[^\p{L}\p{N}])[\p{L}\p{N}](?=.*\.)/gu
const MARKS = /\p{M}/gu

const fold = (text: string): string => foldCase(text).normalize('NFD').replace(MARKS, '').normalize('NFC')

/** Returns the words of a text, without letter case and accents. A word with a dot is returned whole and in parts. */
export function wordsOfText(text: string): string[] {
  const folded = fold(text)
  return [...new Set([...folded.split(SEPARATORS), ...folded.split(SEARCH_SEPARATORS)])].filter(Boolean)
}

/** Returns an e-mail address and its parts. */
export function wordsOfEmail(email: string): string[] {
  const address = fold(email)
  return [address, ...[...address.matchAll(PARTS)].map(({ index }) => address.slice(index))].filter(Boolean)
}

/** Returns the beginnings of words in a search. All of them must match. */
export const searchedWords = (q: string): string[] => fold(q).split(SEARCH_SEPARATORS).filter(Boolean)
