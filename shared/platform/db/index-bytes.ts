/*
 * Searches find rows by tables of words, which store each word in a row and in its key. The row of a short word takes
 * about 150 bytes with its indexes: the words of a text of 10 KB can take 400 KB.
 */

const ROW_BYTES = 140

/** SQL: the number of bytes that rows of such a table take. `word` is the table's column of words. */
export const indexBytesSql = (word: 'word' | 'lexeme') =>
  `coalesce(sum(${ROW_BYTES} + 2 * octet_length(${word})), 0)::integer`
