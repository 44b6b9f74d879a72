import { candidateIdsSql } from '#shared/catalog/search/product-lexemes.ts'
import { searchConfiguration } from '#shared/catalog/search/search-text.ts'
import type { StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
import { publishedSql } from '#shared/catalog/storefront-context/sql.ts'
import { bytesOfText, versionedCache } from '#shared/catalog/storefront-context/versioned-cache.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import { correctedQuerySql, similarWordsSql } from './corrected-query.ts'

/** The matches of search words, as text values of PostgreSQL. */
export interface Search {
  /** The text search (`tsquery`); null if it finds nothing. */
  query: string | null
  /**
   * The ids (`uuid[]`) of all products that the search finds, or whose SKU equals the words; null if there are too
   * many.
   */
  ids: string | null
}

const WORDS = '$1::text'
const CONFIGURATIONS = ['$2::text::regconfig', '$3::text::regconfig']
const WANTED = CONFIGURATIONS.map((one) => `websearch_to_tsquery(${one}, unaccent(${WORDS}))`).join(' || ')

const PUBLISHED = `products p where p.store_id = ${CURRENT_STORE} and ${publishedSql('p')}`

/** SQL of the ids that a `query` finds among its candidates; null if there are too many. */
const foundIdsSql = (query: string, candidates: string) => `
  case when ${candidates} is not null
    then array(select p.id from ${PUBLISHED} and p.id = any(${candidates}::uuid[]) and p.search @@ ${query}) end`

const EXACT_QUERY = '(select query from search_input)'
const QUERY = '(select query from search)'
const EXACT_CANDIDATES = '(select ids from exact_candidates)'
const CANDIDATES = '(select ids from candidates)'

/**
 * Searches for the words as they are, and corrects their spelling only if this finds no product. Words with too many
 * candidates are not misspelt, though the search may find nothing: to know, it would read all products. The parts are
 * materialized, so that each runs at most once, and the corrected search only if it is used.
 */
export const FIND_SEARCH: Statement = {
  name: 'find_search',
  text: `
  with search_input as materialized (select ${WANTED} as query),
  exact_candidates as materialized (select ${candidateIdsSql(EXACT_QUERY)} as ids),
  exact as materialized (select ${foundIdsSql(EXACT_QUERY, EXACT_CANDIDATES)} as ids),
  ${similarWordsSql(`lower(unaccent(${WORDS}))`, CONFIGURATIONS)},
  spelling as materialized (select coalesce(ids <> '{}', true) as is_right from exact),
  search as materialized (
    select case when (select is_right from spelling) then ${EXACT_QUERY} else ${correctedQuerySql(CONFIGURATIONS)} end as query),
  candidates as materialized (select ${candidateIdsSql(QUERY)} as ids),
  found as materialized (
    select case when (select is_right from spelling) then (select ids from exact)
      when ${QUERY} is null then '{}' else ${foundIdsSql(QUERY, CANDIDATES)} end as ids)
  select query::text as query, case when ids is not null then (ids || array(
    select sold.product_id from product_variants sold
    where sold.store_id = ${CURRENT_STORE} and sold.sku = ${WORDS} and ${publishedSql('sold')}))::text end as ids
  from search, found`,
}

// Each entry may hold the ids of some thousand products.
const cacheSearch = versionedCache<Search>(50, ({ query, ids }) => bytesOfText(query) + bytesOfText(ids))

/** Finds the matches of words in web search syntax, in the languages of the request and of the store. */
export function findSearch(context: StorefrontContext, words: string): Promise<Search> {
  const { store, language } = context
  const values = [words, searchConfiguration(language), searchConfiguration(store.defaultLanguage)]
  return cacheSearch(context, values, async () => {
    const [[query = null, ids = null] = []] = await readInStore(store.id, FIND_SEARCH, values)
    return { query, ids }
  })
}
