import { foldCase } from './text.ts'

const SEPARATORS = /[\s'’.,;()-]+/u
// A dot may be part of an address, as in `example.com`.
const SEARCH_SEPARATORS = /[\s'’,;()-]+/u
/** The first character of each part of an e-mail address, except the part after the last dot. */
const PART_STARTS = /(?<=^|[^\p{L}\p{N}])[\p{L}\p{N}](?=.*\.)/gu
const MARKS = /\p{M}/gu

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' })
// PostgreSQL limits the size of an index entry.
const MAX_SENTENCE_WORD_LENGTH = 100
// Longer than any e-mail address.
const MAX_WORD_LENGTH = 300

// NFKC can turn one character into eighteen. Without this limit, the names of a subscription would block the process
// for 200 ms.
const MAX_TEXT_LENGTH = 10_000

const fold = (text: string): string =>
  foldCase(text.normalize('NFKC').slice(0, MAX_TEXT_LENGTH))
    .normalize('NFD')
    .replace(MARKS, '')
    .normalize('NFC')

const cut = (word: string): string => word.slice(0, MAX_WORD_LENGTH).toWellFormed()

/** Returns the words of a text, without letter case and accents. A word with a dot is returned whole and in parts. */
export function wordsOfText(text: string): string[] {
  const folded = fold(text)
  const words = new Set([...folded.split(SEPARATORS), ...folded.split(SEARCH_SEPARATORS)].map(cut))
  return [...words].filter(Boolean)
}

/** Returns an e-mail address and its parts. */
export function wordsOfEmail(email: string): string[] {
  const address = cut(fold(email))
  const parts = [...address.matchAll(PART_STARTS)].map(({ index }) => address.slice(index))
  return [address, ...parts].filter(Boolean)
}

/** Returns the beginnings of words in a search. All of them must match. */
export const searchedWords = (q: string): string[] =>
  fold(q).split(SEARCH_SEPARATORS).map(cut).filter(Boolean)

/**
 * Returns the words of a text of sentences, without letter case, accents and punctuation. Languages without spaces have
 * words too. An e-mail address is returned whole and in parts.
 */
export const wordsOfSentences = (text: string): string[] => [
  ...new Set([...text.split(/\s+/).filter(isAddress).map(toWord), ...segment(text)]),
]

/** Returns the beginnings of words in a search of sentences. All of them must match. */
export const searchedInSentences = (q: string): string[] =>
  q.split(/\s+/).flatMap((part) => (isAddress(part) ? [toWord(part)] : segment(part)))

const isAddress = (part: string): boolean => part.includes('@')

// Cut the text before it is folded too: sorting thousands of marks on one letter would block the process for 200 ms.
const toWord = (text: string): string =>
  fold(text.slice(0, 4 * MAX_SENTENCE_WORD_LENGTH))
    .slice(0, MAX_SENTENCE_WORD_LENGTH)
    .toWellFormed()

function segment(text: string): string[] {
  const segments = [...SEGMENTER.segment(text)].filter(({ isWordLike }) => isWordLike)
  return segments.flatMap(({ segment }) => segment.split(/['’]/u).filter(Boolean).map(toWord))
}
