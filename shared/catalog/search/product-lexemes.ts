import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/*
 * The lexemes of the searched texts of each product. A full-text search reads every product below row-level security,
 * because its operator `@@` is not leakproof; it finds the products with a lexeme by an index, because equality is.
 */

const REPLACE_LEXEMES = `
  with wanted as materialized (
    select p.id as product_id, lexeme from products p cross join unnest(tsvector_to_array(p.search)) lexeme
    where p.store_id = ? and p.id = any(?::uuid[])),
  removed as (
    delete from product_lexemes old where old.store_id = ? and old.product_id = any(?::uuid[])
      and not exists (select from wanted where wanted.product_id = old.product_id and wanted.lexeme = old.lexeme))
  insert into product_lexemes (store_id, product_id, lexeme) select ?, product_id, lexeme from wanted
  on conflict do nothing`

/** Replaces the lexemes of products, whose rows the caller has written. */
export async function writeLexemes({ knex, storeId }: StoreTx, productIds: string[]): Promise<void> {
  await knex.raw(REPLACE_LEXEMES, [storeId, productIds, storeId, productIds, storeId])
}

/** A search by lexemes that so many products have reads all products instead. */
export const MAX_CANDIDATES = 5_000

/**
 * SQL: what a match needs of a text search `query`, whatever the order of words; `T` where a match may have none of
 * them.
 */
const necessarySql = (query: string) => `regexp_replace(querytree(${query}), '<(-|[0-9]+)>', '&', 'g')`

/**
 * SQL of the ids (uuid[]) of the products that a text search `query` may find: those with one of the fewest and rarest
 * lexemes of which each match has one. Null for more than `MAX_CANDIDATES`, and for a query that finds products without
 * any of its words, such as `-red`.
 */
export const candidateIdsSql = (query: string) => `(
  with necessary as materialized (
    select case when numnode(${query}) > 0 and querytree(${query}) <> 'T' then ${necessarySql(query)}::tsquery end as query),
  counted as materialized (
    select wanted.lexeme, row_number() over (order by found.products, wanted.lexeme) as place
    from unnest(tsvector_to_array((
      select string_agg(quoted[1], ' ')::tsvector
      from regexp_matches((select query::text from necessary), '(''([^'']|'''')+'')', 'g') quoted))) wanted (lexeme)
    cross join lateral (
      select count(*) as products from (
        select from product_lexemes l where l.store_id = ${CURRENT_STORE} and l.lexeme = wanted.lexeme
        limit ${MAX_CANDIDATES}) few) found),
  -- A product that has none of the rarest lexemes, and all others, does not match.
  rarest as materialized (
    select min(place) as place from counted c
    where not array_to_tsvector(array(select other.lexeme from counted other where other.place > c.place))
      @@ (select query from necessary)),
  candidates as materialized (
    select array(
      select l.product_id from product_lexemes l
      where l.store_id = ${CURRENT_STORE} and l.lexeme = any(array(
        select c.lexeme from counted c where c.place <= (select place from rarest)))
      limit ${MAX_CANDIDATES + 1}) as ids)
  select case when querytree(${query}) <> 'T' and cardinality(ids) <= ${MAX_CANDIDATES} then ids end from candidates)`
