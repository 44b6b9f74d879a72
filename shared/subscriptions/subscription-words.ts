import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { WordIndex } from '#shared/platform/db/word-index.ts'
import type { Texts } from '#shared/platform/text.ts'
import { wordsOfText } from '#shared/platform/words.ts'

/** The fields of a subscription whose words find it. */
interface Searched {
  firstname: string
  lastname: string
  sku: string
  nameI18n: Texts
  terms: { nameI18n: Texts }
}

export const SUBSCRIPTION_WORDS = new WordIndex('subscription_words', 'subscription_id')

/**
 * Returns the words whose beginnings find a subscription: of the customer's name, the SKU, and the product's and the
 * plan's name in all languages.
 */
export const wordsOfSubscription = ({ firstname, lastname, sku, nameI18n, terms }: Searched): string[] =>
  wordsOfText(
    [firstname, lastname, sku, ...Object.values(nameI18n), ...Object.values(terms.nameI18n)].join(' '),
  )

type Saved = Searched & { id: string }

const toIndexed = (subscription: Saved) => ({
  id: subscription.id,
  words: wordsOfSubscription(subscription),
})

/** Replaces the words of saved subscriptions. */
export const indexSubscriptions = (tx: StoreTx, subscriptions: readonly Saved[]): Promise<void> =>
  SUBSCRIPTION_WORDS.replace(tx, subscriptions.map(toIndexed))

/** Replaces the words of any number of saved subscriptions. `find` returns a few of them. */
export const indexManySubscriptions = (
  tx: StoreTx,
  ids: readonly string[],
  find: (ids: string[]) => PromiseLike<Saved[]>,
): Promise<void> =>
  SUBSCRIPTION_WORDS.replaceInParts(tx, ids, async (some) => (await find(some)).map(toIndexed))
