import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { DEFAULT_LANGUAGE, LANGUAGE, UNIT } from './context.ts'

/**
 * SQL of a text in the language of the request, or else in the store's default language, or else in any language; null
 * without a text.
 */
export const textSql = (texts: string) =>
  `coalesce(${texts} ->> ${LANGUAGE}, ${texts} ->> ${DEFAULT_LANGUAGE}, (select value from jsonb_each_text(${texts}) limit 1))`

/** SQL of a text; null becomes empty, because responses show a missing text as `""`. */
export const orEmptySql = (text: string) => `coalesce(${text}, '')`

/** Like `textSql`, with an empty text instead of null. */
export const textOrEmptySql = (texts: string) => orEmptySql(textSql(texts))

/** SQL of an amount in major units. */
export const majorSql = (minor: string) => `${minor} * ${UNIT}`

/** SQL of a timestamp in the format of responses. */
export const timestampSql = (at: string) =>
  `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** SQL condition: the product or variant is visible in the storefront. */
export const publishedSql = (alias: string) => `${alias}.is_active and ${alias}.deleted_at is null`

/** SQL table expression: the store's published products under an alias. */
export const publishedProductsSql = (alias: string) => `(
  select * from products where products.store_id = ${CURRENT_STORE} and ${publishedSql('products')}) ${alias}`

/** SQL of the URL of a product's first image; null without images. */
export const primaryImageSql = (product: string) => `${product}.images -> 0 ->> 'url'`
