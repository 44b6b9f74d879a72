import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { WordIndex } from '#shared/platform/db/word-index.ts'
import { wordsOfEmail, wordsOfText } from '#shared/platform/words.ts'
import type { Voucher } from './voucher.ts'

export const VOUCHER_WORDS = new WordIndex('voucher_words', 'voucher_id')

type Searched = Pick<Voucher, 'codeEnd' | 'fromName' | 'fromEmail' | 'toName' | 'toEmail'>

/**
 * Returns the words whose beginnings find a voucher: of the names and the e-mail addresses of the giver and the
 * recipient, and the last letters of the code. The code itself is a secret.
 */
const wordsOfVoucher = ({ codeEnd, fromName, fromEmail, toName, toEmail }: Searched): string[] => [
  ...new Set([
    ...wordsOfText([codeEnd, fromName, toName].join(' ')),
    ...wordsOfEmail(fromEmail),
    ...wordsOfEmail(toEmail),
  ]),
]

const toIndexed = (voucher: Voucher) => ({ id: voucher.id, words: wordsOfVoucher(voucher) })

/** Inserts the words of newly saved vouchers. */
export const indexNewVouchers = (tx: StoreTx, vouchers: readonly Voucher[]): Promise<void> =>
  VOUCHER_WORDS.insert(tx, vouchers.map(toIndexed))

/** Replaces the words of saved vouchers. */
export const indexVouchers = (tx: StoreTx, vouchers: readonly Voucher[]): Promise<void> =>
  VOUCHER_WORDS.replace(tx, vouchers.map(toIndexed))
