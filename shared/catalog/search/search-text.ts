import type { Knex } from 'knex'
import type { Product } from '#shared/catalog/product.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** PostgreSQL's text search configurations by primary language subtag. Other languages are indexed without stemming. */
const CONFIGURATIONS: Record<string, string> = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  nb: 'norwegian',
  ne: 'nepali',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
}
const NO_STEMMING = 'simple'

/** Returns the text search configuration of a language (BCP 47): `de-AT` → `german`. */
export function searchConfiguration(language: string): string {
  const [primary = ''] = language.toLowerCase().split('-')
  return CONFIGURATIONS[primary] ?? NO_STEMMING
}

/** SQL of `searchConfiguration` for an expression of a language. */
const configurationSql = (language: string) =>
  `(case split_part(lower(${language}), '-', 1) ${Object.entries(CONFIGURATIONS)
    .map(([tag, name]) => `when '${tag}' then '${name}'`)
    .join(' ')} else '${NO_STEMMING}' end)::regconfig`

/** Removes accents (Ä → A, é → e), in the index and in the query. */
const foldSql = (text: string) => `unaccent(${text})`

/** The number of characters of a description that are indexed: a tsvector holds at most 1 MB. */
export const MAX_SEARCHED_DESCRIPTION = 10_000

/** SQL expressions of the searched texts: columns, or bindings with their casts. Each is used once. */
interface SearchSources {
  /** jsonb, texts by language. */
  nameI18n: string
  /** text[]. */
  tags: string
  /** jsonb, texts by language. */
  descriptionI18n: string
}

/**
 * SQL of `products.search`. Names rank above tags, tags above descriptions. Each text is indexed in its language. The
 * expressions are columns, or bindings in the sequence name, tags, description.
 */
export const searchSql = ({ nameI18n, tags, descriptionI18n }: SearchSources) => `(
  select coalesce(string_agg(words::text, ' '), '')::tsvector from (
    select setweight(to_tsvector(${configurationSql('key')}, ${foldSql('value')}), 'A') as words
    from jsonb_each_text(${nameI18n})
    union all
    select setweight(to_tsvector('simple', ${foldSql('tag')}), 'B') from unnest(${tags}) tag
    union all
    select setweight(to_tsvector(${configurationSql('key')}, ${foldSql(`left(value, ${MAX_SEARCHED_DESCRIPTION})`)}), 'D')
    from jsonb_each_text(${descriptionI18n})
  ) texts)`

/** SQL of `products.search_name`, the names in all languages, without accents and in lower case. */
export const searchNameSql = (nameI18n: string) =>
  `(select coalesce(string_agg(lower(${foldSql('value')}), ' '), '') from jsonb_each_text(${nameI18n}))`

const SEARCH = searchSql({ nameI18n: '?::jsonb', tags: '?::text[]', descriptionI18n: '?::jsonb' })
const SEARCH_NAME = searchNameSql('?::jsonb')

/** Returns the search columns of a product, for an insert or update of its row. */
export function searchColumns(
  tx: StoreTx,
  { nameI18n, tags, descriptionI18n }: Pick<Product, 'nameI18n' | 'tags' | 'descriptionI18n'>,
): { search: Knex.Raw; search_name: Knex.Raw } {
  const name = JSON.stringify(nameI18n)
  return {
    search: tx.knex.raw(SEARCH, [name, tags, JSON.stringify(descriptionI18n)]),
    search_name: tx.knex.raw(SEARCH_NAME, [name]),
  }
}
