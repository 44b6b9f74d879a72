import type { Order } from '#shared/orders/order.ts'
import { WordIndex } from '#shared/platform/db/word-index.ts'
import { wordsOfEmail, wordsOfText } from '#shared/platform/words.ts'
import type { Return } from './return.ts'

export const RETURN_WORDS = new WordIndex('return_words', 'return_id')

/**
 * Returns the words whose beginnings find a return: of its number and its order's, and of the name and the e-mail
 * address of the order. An order keeps these until it is anonymized.
 */
export const wordsOfReturn = (
  { number }: Pick<Return, 'number'>,
  order: Pick<Order, 'number' | 'email' | 'firstname' | 'lastname'>,
): string[] => [
  ...new Set([
    ...wordsOfText([number, order.number, order.firstname, order.lastname].join(' ')),
    ...wordsOfEmail(order.email),
  ]),
]
