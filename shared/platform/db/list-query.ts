/** The page of a list that a request asks for; the first is 1. */
export interface Paged {
  page: number
  page_size: number
}

/** One page of a list, and the number of items on all pages. */
export interface Page<T> {
  results: T[]
  total: number
}

/** The numbers of a page and its list, for clients. */
export interface PageMeta extends Paged {
  total: number
  total_pages: number
}

export const pageMeta = (total: number, { page, page_size }: Paged): PageMeta => ({
  page,
  page_size,
  total,
  total_pages: Math.ceil(total / page_size),
})

/** Splits a sort parameter: `-created_at` sorts by that column, descending. */
export const sortOrder = (sort: string) =>
  ({ by: sort.replace('-', ''), direction: sort.startsWith('-') ? 'desc' : 'asc' }) as const

/** Returns the `like` pattern that finds a text containing these words; wildcards in the words are escaped. */
export const likePattern = (words: string): string => `%${words.replace(/[\\%_]/g, '\\$&')}%`

/** Bounds of a row's creation time: `created_from` is inclusive, `created_to` exclusive. */
export interface CreatedAtFilter {
  created_from?: string
  created_to?: string
}

/** The parameters of every list, and the time of the last change. */
export interface ListFilter extends Paged, CreatedAtFilter {
  /** A sort field of the list, with `-` for descending. */
  sort?: string
  /** Words to search for. */
  q?: string
  /** Inclusive. */
  updated_from?: string
  /** Exclusive. */
  updated_to?: string
}

interface Query {
  whereRaw(sql: string, bindings: string[]): unknown
}

/** Narrows a query to rows whose time, in SQL, is `from` or later, and before `to`. */
export function filterByTime(query: Query, time: string, from?: string, to?: string): void {
  if (from) query.whereRaw(`${time} >= ?::timestamptz`, [from])
  if (to) query.whereRaw(`${time} < ?::timestamptz`, [to])
}
