import type { Column } from './column.ts'

/** The names of a statement's rows. A recount over the whole range gives all rows one name. */
export interface Keys {
  /** SQL: the key of a row, from an expression of type text. */
  key: (expression: string) => string
  /** SQL: the first date of the period of a time. */
  period: (time: string) => string
  /** SQL: the first date of the period of a day. */
  ofDay: (day: string) => string
  /** SQL: a query of all periods of the range as `key`, so that periods without sales are rows, too. */
  periods: string
}

/** One way to lay a report out: its rows are periods, or things. */
export interface Layout {
  /** The first columns name the row. */
  columns: readonly Column[]
  /** SQL: the order of the rows, over the names of the columns. */
  order: string
  /** SQL: a query with the columns of the report, over the tables of one store. See `sql.ts` for its parts. */
  sql: (keys: Keys) => string
  /** It adds up facts, which may first have to be stored. */
  isSummed?: true
  /** SQL: a query of such rows with the texts that only shown rows need: a report has many more rows than a page. */
  named?: (rows: string) => string
}

/** A report: what a store's books say of a range of days. It only reads. */
export interface Report {
  name: string
  summary: string
  description: string
  /** The layouts by their name in the parameter `by`; the first is the default. `period`: the rows are periods. */
  layouts: Readonly<Record<string, Layout>>
  /** The values of the parameter `status`. Absent: the report does not have it. */
  statuses?: readonly string[]
  /** The report is in the store's currency, whatever orders were paid in. */
  inStoreCurrency?: true
}

export const PERIOD = 'period'

export const layoutNames = ({ layouts }: Report): string[] => Object.keys(layouts)

/** The layout that a request names; without a name the default one. */
export function layoutOf({ layouts }: Report, by?: string): { name: string; layout: Layout } {
  const [first] = Object.entries(layouts)
  const name = by ?? first?.[0] ?? ''
  return { name, layout: layouts[name] as Layout }
}
