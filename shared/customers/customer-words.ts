import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { WordIndex } from '#shared/platform/db/word-index.ts'
import { searchedWords as searchedInTexts, wordsOfEmail, wordsOfText } from '#shared/platform/words.ts'
import type { Customer } from './customer.ts'

type Named = Pick<Customer, 'email' | 'firstname' | 'lastname' | 'telephone'>

export const CUSTOMER_WORDS = new WordIndex('customer_words', 'customer_id')

/**
 * Returns the words whose beginnings find a customer: the parts of the name, the e-mail address and its parts, and the
 * digits of the telephone number from each group on.
 */
export const wordsOf = ({ email, firstname, lastname, telephone }: Named): string[] => [
  ...new Set([
    ...wordsOfText(`${firstname} ${lastname}`),
    ...wordsOfEmail(email),
    ...numbersOf(telephone ?? '').filter(Boolean),
  ]),
]

/** Returns the beginnings of words in a search. All of them must match. */
export const searchedWords = (q: string): string[] =>
  TELEPHONE.test(q.trim()) ? [digitsOf(q)] : searchedInTexts(q)

/** Replaces the words of a customer, whose row the caller has written. */
export const indexCustomer = (tx: StoreTx, customer: Named & { id: string }): Promise<void> =>
  CUSTOMER_WORDS.replace(tx, [{ id: customer.id, words: wordsOf(customer) }])

/** Replaces the words of many saved customers with two statements. */
export const indexCustomers = (tx: StoreTx, customers: (Named & { id: string })[]): Promise<void> =>
  CUSTOMER_WORDS.replace(
    tx,
    customers.map((customer) => ({ id: customer.id, words: wordsOf(customer) })),
  )

const TELEPHONE = /^[+(]?\d[\d\s()/.-]{2,}$/

// Compare numbers without the trunk prefix 0, which is dialled only within a country.
const digitsOf = (text: string): string => text.replace('(0)', '').replace(/\D/g, '').replace(/^0+/, '')

function numbersOf(telephone: string): string[] {
  const dialled = telephone.replace('(0)', '')
  return [...dialled.matchAll(/\d+/g)].map(({ index }) => digitsOf(dialled.slice(index)))
}
