import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { foldCase } from '#shared/platform/text.ts'
import type { Customer } from './customer.ts'

type Named = Pick<Customer, 'email' | 'firstname' | 'lastname' | 'telephone'>

/**
 * The words that find a customer by their beginnings: the parts of the name, the address and its parts, and the digits
 * of the telephone number from each group of digits on.
 */
export function wordsOf({ email, firstname, lastname, telephone }: Named): string[] {
  const address = fold(email)
  const names = fold(`${firstname} ${lastname}`).split(SEPARATORS)
  const parts = [...address.matchAll(PARTS)].map(({ index }) => address.slice(index))
  return [...new Set([...names, address, ...parts, ...numbersOf(telephone ?? '')])].filter(Boolean)
}

/** The beginnings that a search asks for; all of them have to match. */
export function searchedWords(q: string): string[] {
  if (TELEPHONE.test(q.trim())) return [digitsOf(q)]
  return fold(q).split(SEARCH_SEPARATORS).filter(Boolean)
}

/** Replaces the words of a customer, whose row the caller has written. */
export async function indexCustomer(tx: StoreTx, customer: Named & { id: string }): Promise<void> {
  const own = { store_id: tx.storeId, customer_id: customer.id }
  const words = wordsOf(customer)
  await tx.knex('customer_words').where(own).whereNotIn('word', words).delete()
  if (words.length)
    await tx
      .knex('customer_words')
      .insert(words.map((word) => ({ ...own, word })))
      .onConflict()
      .ignore()
}

/** Replaces the words of many customers, whose rows the caller has written, with two statements. */
export async function indexCustomers(tx: StoreTx, customers: (Named & { id: string })[]): Promise<void> {
  if (customers.length === 0) return
  const ids = customers.map(({ id }) => id)
  await tx
    .knex('customer_words')
    .where('store_id', tx.storeId)
    .whereRaw('customer_id = any(?)', [ids])
    .delete()
  const rows = customers.flatMap((customer) =>
    wordsOf(customer).map((word) => ({ store_id: tx.storeId, customer_id: customer.id, word })),
  )
  if (rows.length) await tx.knex('customer_words').insert(rows)
}

const LAST_CHARACTER = '\u{10ffff}'

/** The ids of the customers with a word that begins so. */
export const customersWithWord = (tx: StoreTx, beginning: string) =>
  tx
    .knex('customer_words')
    .where('store_id', tx.storeId)
    .where('word', '>=', beginning)
    .where('word', '<', beginning + LAST_CHARACTER)
    .select('customer_id')

const SEPARATORS = /[\s'’.,;()-]+/u
// A dot may be part of an address, as in `example.com`.
const SEARCH_SEPARATORS = /[\s'’,;()-]+/u
const PARTS = /(?<=^|[^\p{L}\p{N}])[\p{L}\p{N}](?=.*\.)/gu
const TELEPHONE = /^[+(]?\d[\d\s()/.-]{2,}$/
const MARKS = /\p{M}/gu

const fold = (text: string): string => foldCase(text).normalize('NFD').replace(MARKS, '').normalize('NFC')

// A trunk prefix 0 is dialled within a country only, so numbers are compared without it.
const digitsOf = (text: string): string => text.replace('(0)', '').replace(/\D/g, '').replace(/^0+/, '')

function numbersOf(telephone: string): string[] {
  const dialled = telephone.replace('(0)', '')
  return [...dialled.matchAll(/\d+/g)].map(({ index }) => digitsOf(dialled.slice(index)))
}
