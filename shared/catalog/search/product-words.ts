import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { indexBytesSql } from '#shared/platform/db/index-bytes.ts'
import { lockName } from '#shared/platform/db/lock-name.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { isNotWantedSql, writeLexemes } from './product-lexemes.ts'

/*
 * The search index of products: their lexemes, the words of their names, and the trigrams of each word. A misspelt word
 * is compared only with words that share trigrams with it. These tables are read by equality only: below row-level
 * security, PostgreSQL uses an index only for leakproof operators, and those of text search and pg_trgm are not.
 */

/** SQL: the distinct words of a folded text, as a set. */
export const wordsSql = (text: string) => `unnest(tsvector_to_array(to_tsvector('simple', ${text})))`

const REPLACE_WORDS = `
  with wanted as materialized (
    select p.id as product_id, word from products p cross join ${wordsSql('p.search_name')} word
    where p.store_id = ? and p.id = any(?::uuid[])),
  removed as (
    delete from product_words old where old.store_id = ? and old.product_id = any(?::uuid[])
      and ${isNotWantedSql('word')}
    returning old.word),
  added as (
    insert into product_words (store_id, product_id, word) select ?, product_id, word from wanted
    on conflict do nothing returning word)
  select array(select distinct word from added) as added, array(select distinct word from removed) as removed,
    (select ${indexBytesSql('word')} from added) as bytes`

// Each trigram is stored with its word, so a name of 300 characters without spaces would store 200 KB. Corrected words
// have at most 30 characters.
const MAX_LENGTH_WITH_TRIGRAMS = 60

const ADD_TRIGRAMS = `
  with added as (
    insert into word_trigrams (store_id, trigram, word)
    select ?, trigram, word from unnest(?::text[]) word cross join unnest(show_trgm(word)) trigram
    where length(word) <= ${MAX_LENGTH_WITH_TRIGRAMS}
    on conflict do nothing returning word)
  select ${indexBytesSql('word')} as bytes from added`

const REMOVE_TRIGRAMS = `
  delete from word_trigrams gone
  using unnest(?::text[]) removed (word) cross join unnest(show_trgm(removed.word)) part (trigram)
  where gone.store_id = ? and gone.trigram = part.trigram and gone.word = removed.word
    and not exists (select from product_words used where used.store_id = ? and used.word = gone.word)`

const changedProducts = new WeakMap<StoreTx, Set<string>>()

/** Indexes the texts of these products at the end of the transaction, after their rows were written. */
export function indexWords(tx: StoreTx, productIds: string[]): void {
  const changed = changedProducts.get(tx) ?? new Set()
  changedProducts.set(tx, changed)
  for (const id of productIds) changed.add(id)
  bumpCatalogVersion(tx)
  tx.beforeCommit('product words', async () => {
    // Without the lock, two writers could insert the same words in different sequences and deadlock.
    await lockName(tx.knex, `product words ${tx.storeId}`)
    await writeWords(tx, [...changed])
    await writeLexemes(tx, [...changed])
  })
}

interface ChangedWords {
  added: string[]
  removed: string[]
  /** The bytes of the added rows. */
  bytes: number
}

async function writeWords(tx: StoreTx, productIds: string[]): Promise<void> {
  const { knex, storeId } = tx
  const { rows } = await knex.raw<{ rows: [ChangedWords] }>(REPLACE_WORDS, [
    storeId,
    productIds,
    storeId,
    productIds,
    storeId,
  ])
  const [{ added, removed, bytes }] = rows
  tx.noteStored(bytes)
  if (added.length) await addTrigrams(tx, added)
  if (removed.length) await knex.raw(REMOVE_TRIGRAMS, [removed, storeId, storeId])
}

async function addTrigrams(tx: StoreTx, words: string[]): Promise<void> {
  const { rows } = await tx.knex.raw<{ rows: [{ bytes: number }] }>(ADD_TRIGRAMS, [tx.storeId, words])
  tx.noteStored(rows[0].bytes)
}
