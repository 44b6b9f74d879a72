import { wordsSql } from '#shared/catalog/search/product-words.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'

// "jaket" finds "jacket" (0.44), "carton" does not find "cotton" (0.29).
const MIN_SIMILARITY = 0.4

// These limits bound the work of a search, whatever the caller sends and the store sells.
const MAX_WORDS = 3
const MAX_WORD_LENGTH = 30
const MAX_WORDS_OF_TRIGRAM = 5_000
/** The number of words of the catalog that replace a misspelt word. */
const MAX_CORRECTIONS = 3

/**
 * SQL of two common table expressions that correct the spelling of a search text. `folded` is SQL of the text in lower
 * case without accents. `misspelt_words` has its longest words, except excluded ones (`-word`) and stop words of all
 * text search `configurations`. `similar_words` has, for each of them, the most similar words of the store's product
 * names.
 */
export const similarWordsSql = (folded: string, configurations: string[]) => `
  misspelt_words as materialized (
    select word from ${wordsSql(`regexp_replace(${folded}, '(^|\\s)-\\S+', ' ', 'g')`)} word
    where length(word) <= ${MAX_WORD_LENGTH}
      and ${configurations.map((configuration) => `to_tsvector(${configuration}, word) <> ''`).join(' and ')}
    order by length(word) desc, word limit ${MAX_WORDS}),
  similar_words as materialized (
    select asked.word as asked, known.word
    from misspelt_words asked
    cross join lateral (
      select shared.word
      from (
        select candidate.word
        from unnest(show_trgm(asked.word)) asked_trigram (trigram)
        cross join lateral (
          select t.word from word_trigrams t
          where t.store_id = ${CURRENT_STORE} and t.trigram = asked_trigram.trigram
          limit ${MAX_WORDS_OF_TRIGRAM}) candidate
        -- Only words that share enough trigrams are compared. Without the offset, each word would be compared at each
        -- of its trigrams.
        group by candidate.word having count(*) >= ${MIN_SIMILARITY} * cardinality(show_trgm(asked.word))
        offset 0) shared
      where word_similarity(asked.word, shared.word) >= ${MIN_SIMILARITY}
      order by word_similarity(asked.word, shared.word) desc, similarity(asked.word, shared.word) desc, shared.word
      limit ${MAX_CORRECTIONS}) known)`

/** SQL: a text search for one of the similar words of each misspelt word; null where there are none. */
export const correctedQuerySql = (configurations: string[]) =>
  `(select ${configurations.map((configuration) => `to_tsquery(${configuration}, string_agg(choice, ' & '))`).join(' || ')}
    from (
      select '(' || string_agg('''' || translate(word, '''\\', '  ') || '''', ' | ') || ')' as choice
      from similar_words group by asked) choices)`
