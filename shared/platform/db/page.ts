/** Which page of a list is asked for; the first is 1. */
export interface Paged {
  page: number
  page_size: number
}

/** One page of a list, and how many there are in all. */
export interface Page<T> {
  results: T[]
  total: number
}
