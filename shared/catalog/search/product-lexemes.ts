import { indexBytesSql } from '#shared/platform/db/index-bytes.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/*
 * The lexemes of each product's searched texts. Below row-level security, a full-text search reads every product,
 * because its operator `@@` is not leakproof and uses no index. Equality is leakproof, so an index finds the products
 * with a lexeme.
 */

/**
 * SQL: whether the CTE `wanted` lacks the word of the row `old`. PostgreSQL runs `not in` with a hash table. It has no
 * statistics of a CTE, so it would run `not exists` as a loop over all wanted words for each row. The descriptions of a
 * product can have 75,000 words.
 */
export const isNotWantedSql = (word: 'lexeme' | 'word') =>
  `(old.product_id, old.${word}) not in (select product_id, ${word} from wanted)`

const REPLACE_LEXEMES = `
  with wanted as materialized (
    select p.id as product_id, lexeme from products p cross join unnest(tsvector_to_array(p.search)) lexeme
    where p.store_id = ? and p.id = any(?::uuid[])),
  removed as (
    delete from product_lexemes old where old.store_id = ? and old.product_id = any(?::uuid[])
      and ${isNotWantedSql('lexeme')}),
  added as (
    insert into product_lexemes (store_id, product_id, lexeme) select ?, product_id, lexeme from wanted
    on conflict do nothing returning lexeme)
  select ${indexBytesSql('lexeme')} as bytes from added`

/** Replaces the lexemes of products. The caller has written the products' rows. */
export async function writeLexemes(tx: StoreTx, productIds: string[]): Promise<void> {
  const { knex, storeId } = tx
  const bindings = [storeId, productIds, storeId, productIds, storeId]
  const { rows } = await knex.raw<{ rows: [{ bytes: number }] }>(REPLACE_LEXEMES, bindings)
  tx.noteStored(rows[0].bytes)
}

/** A search with more candidates than this reads all products instead. */
export const MAX_CANDIDATES = 5_000

/**
 * SQL: the lexemes that every match of a text search `query` needs, without their sequence; `T` if a match needs none.
 */
const necessarySql = (query: string) => `regexp_replace(querytree(${query}), '<(-|[0-9]+)>', '&', 'g')`

/**
 * SQL of the ids (uuid[]) of products that a text search `query` may find. It sorts the lexemes of the query by the
 * number of their products, and takes the rarest ones: just so many that every match has one of them. Null for more
 * than `MAX_CANDIDATES` products, and for a query such as `-red`, which finds products without any of its words.
 */
export const candidateIdsSql = (query: string) => `(
  with necessary as materialized (
    select case when numnode(${query}) > 0 and querytree(${query}) <> 'T' then ${necessarySql(query)}::tsquery end as query),
  counted as materialized (
    select wanted.lexeme, row_number() over (order by found.products, wanted.lexeme) as rarity
    from unnest(tsvector_to_array((
      select string_agg(quoted[1], ' ')::tsvector
      from regexp_matches((select query::text from necessary), '(''([^'']|'''')+'')', 'g') quoted))) wanted (lexeme)
    cross join lateral (
      select count(*) as products from (
        select from product_lexemes l where l.store_id = ${CURRENT_STORE} and l.lexeme = wanted.lexeme
        limit ${MAX_CANDIDATES}) few) found),
  -- The number of rarest lexemes to take: a product that has only the other lexemes does not match.
  rarest as materialized (
    select min(rarity) as count from counted c
    where not array_to_tsvector(array(select other.lexeme from counted other where other.rarity > c.rarity))
      @@ (select query from necessary)),
  candidates as materialized (
    select array(
      select l.product_id from product_lexemes l
      where l.store_id = ${CURRENT_STORE} and l.lexeme = any(array(
        select c.lexeme from counted c where c.rarity <= (select count from rarest)))
      limit ${MAX_CANDIDATES + 1}) as ids)
  select case when querytree(${query}) <> 'T' and cardinality(ids) <= ${MAX_CANDIDATES} then ids end from candidates)`
