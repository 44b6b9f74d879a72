/*
 * The tables of words, by which searches find rows, store each word in a row and in its key. A row of a short word
 * takes about 150 bytes with its indexes: a text of 10 KB can store 400 KB of words.
 */

const ROW_BYTES = 140

/** SQL of the bytes that the rows of a column of such words take. */
export const indexBytesSql = (word: 'word' | 'lexeme') =>
  `coalesce(sum(${ROW_BYTES} + 2 * octet_length(${word})), 0)::integer`
