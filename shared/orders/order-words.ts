import { WordIndex } from '#shared/platform/db/word-index.ts'
import { wordsOfEmail, wordsOfText } from '#shared/platform/words.ts'
import type { Order } from './order.ts'

export const ORDER_WORDS = new WordIndex('order_words', 'order_id')

/** Returns the search words of an order: of its number, name and e-mail address. A search matches their beginnings. */
export const wordsOfOrder = ({
  number,
  email,
  firstname,
  lastname,
}: Pick<Order, 'number' | 'email' | 'firstname' | 'lastname'>): string[] => [
  ...new Set([...wordsOfText([number, firstname, lastname].join(' ')), ...wordsOfEmail(email)]),
]
