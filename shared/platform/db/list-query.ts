/** The page of a list that a request asks for; the first is 1. */
export interface Paged {
  page: number
  page_size: number
}

/** One page of a list, and how many items all pages have. */
export interface Page<T> {
  results: T[]
  total: number
}

/** Splits a sort parameter: `-created_at` sorts by that column, descending. */
export const sortOrder = (sort: string) =>
  ({ by: sort.replace('-', ''), direction: sort.startsWith('-') ? 'desc' : 'asc' }) as const

/** The `like` pattern that finds a text containing these words; wildcards in the words are escaped. */
export const likePattern = (words: string): string => `%${words.replace(/[\\%_]/g, '\\$&')}%`

/** Bounds of a row's creation time: `created_from` is inclusive, `created_to` exclusive. */
export interface CreatedAtFilter {
  created_from?: string
  created_to?: string
}

interface Query {
  where(column: string, operator: string, value: string): unknown
}

/** Narrows a query to rows created within the bounds. */
export function filterByCreatedAt(
  query: Query,
  { created_from, created_to }: CreatedAtFilter,
  column = 'created_at',
): void {
  if (created_from) query.where(column, '>=', created_from)
  if (created_to) query.where(column, '<', created_to)
}
