import type { Static, TObject, TProperties } from 'typebox'
import { filterByTime, type ListFilter, likePattern, type Page, sortOrder } from './list-query.ts'

type Direction = 'asc' | 'desc'

/** SQL to sort by: expressions, or the `order by` of a direction. The id, which breaks ties, is added. */
export type SortKey = string | readonly string[] | ((direction: Direction) => string)

interface ListOptions<Filters extends TProperties> {
  /** The sort fields. */
  sorts: Readonly<Record<string, SortKey>>
  /** The sort of a request without one. */
  order: string
  /** The texts that `q` searches, for the API description: `Part of a name`. */
  searches: string
  /**
   * SQL of the texts that `q` is searched in; letter case does not matter. Undefined for a list with its own search.
   */
  text?: readonly string[]
  /** The order of a search without a sort, for the API description. The list passes it as `leading`. */
  relevance?: string
  /** SQL of the times, and of the unique column that breaks ties, if they are not the usual ones. */
  createdAt?: string
  updatedAt?: string
  id?: string
  /** The query parameters that only this list has, for its verb and for the API description. */
  filters?: Filters
}

/** The query parameters of a list, as its verb takes them: those of every list and its own. */
export type FilterOf<L extends { filters: TProperties }> = ListFilter & Static<TObject<L['filters']>>

/** SQL to sort by before the sort of the list, with the values of its placeholders. */
export interface LeadingOrder {
  sql: string
  bindings: string[]
}

interface Query {
  whereRaw(sql: string, bindings: string[]): unknown
  orderByRaw(sql: string, bindings?: string[]): unknown
}

interface KnexQuery extends Query {
  clone(): { count(columns: { total: string }): PromiseLike<unknown> }
  select(columns: unknown): unknown
  limit(rows: number): { offset(rows: number): PromiseLike<unknown> }
}

/** SQL: the texts of all languages of an `*_i18n` column as one text. */
export const inAnyLanguage = (column: string): string =>
  `(select string_agg(value, ' ') from jsonb_each_text(${column}))`

/** Returns a sort by a time. Rows without this time count as the oldest. */
export const nullsOldest =
  (column: string): SortKey =>
  (direction) =>
    `${column} ${direction} nulls ${direction === 'asc' ? 'first' : 'last'}`

/** The sorting, searching and filtering of a list, declared once for its query and its API description. */
export class List<Filters extends TProperties = Record<never, never>> {
  readonly searches: string
  readonly order: string
  readonly relevance: string | undefined
  readonly filters: Filters
  readonly #options: ListOptions<Filters>

  constructor(options: ListOptions<Filters>) {
    this.#options = options
    this.filters = options.filters ?? ({} as Filters)
    this.searches = options.searches
    this.order = options.order
    this.relevance = options.relevance
    if (!this.sortNames.includes(options.order)) throw new Error(`A list has no sort ${options.order}`)
  }

  /** The values of the `sort` parameter. */
  get sortNames(): string[] {
    return Object.keys(this.#options.sorts).flatMap((field) => [field, `-${field}`])
  }

  /** Narrows a query to the rows that match. A list with its own search adds the condition of `q` itself. */
  filter(query: Query, filter: Partial<ListFilter>): void {
    const { text, createdAt = 'created_at', updatedAt = 'updated_at' } = this.#options
    filterByTime(query, createdAt, filter.created_from, filter.created_to)
    filterByTime(query, updatedAt, filter.updated_from, filter.updated_to)
    if (filter.q && text)
      query.whereRaw(`concat_ws(' ', ${text.join(', ')}) ilike ?`, [likePattern(filter.q.trim())])
  }

  /** Sorts a query. Ids break ties. */
  sort(query: Query, sort = this.order, leading?: LeadingOrder): void {
    if (leading) query.orderByRaw(leading.sql, leading.bindings)
    const { by, direction } = sortOrder(sort)
    const { sorts, id = 'id' } = this.#options
    const key = sorts[by]
    if (key === undefined) throw new Error(`A list has no sort ${sort}`)
    const keys =
      typeof key === 'function' ? [key(direction)] : [key].flat().map((part) => `${part} ${direction}`)
    query.orderByRaw([...keys, `${id} ${direction}`].join(', '))
  }

  /** Returns one page of the matching rows of a model, and their number. */
  page<R>(
    query: Query & { page(page: number, size: number): R },
    filter: ListFilter,
    leading?: LeadingOrder,
  ): R {
    this.filter(query, filter)
    this.sort(query, filter.sort, leading)
    return query.page(filter.page - 1, filter.page_size)
  }

  /** Returns one page of a model's rows. The caller has filtered them and knows their number. */
  async pageOf<Row>(
    query: Query & { limit(rows: number): { offset(rows: number): PromiseLike<Row[]> } },
    filter: ListFilter,
    total: number,
  ): Promise<Page<Row>> {
    this.sort(query, filter.sort)
    return {
      results: await query.limit(filter.page_size).offset((filter.page - 1) * filter.page_size),
      total,
    }
  }

  /** Returns one page of the matching rows of a query without a model, and their number. */
  async pageOfRows<Row>(query: KnexQuery, filter: ListFilter, columns: unknown): Promise<Page<Row>> {
    this.filter(query, filter)
    const [counted] = (await query.clone().count({ total: '*' })) as { total: string }[]
    query.select(columns)
    this.sort(query, filter.sort)
    const rows = await query.limit(filter.page_size).offset((filter.page - 1) * filter.page_size)
    return { results: rows as Row[], total: Number(counted?.total) }
  }
}
