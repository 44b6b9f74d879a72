import type { Column } from './column.ts'

/** The SQL of a statement's row keys. A grand total uses one constant key. */
export interface KeySql {
  /** SQL: the key of a row, from an expression of type text. */
  key: (expression: string) => string
  /** SQL: the first date of the period that contains a time. */
  period: (time: string) => string
  /** SQL: the first date of the period that contains a day. */
  ofDay: (day: string) => string
  /** SQL: a query of all periods of the range as `key`, so that periods without sales have rows too. */
  periods: string
}

/** One layout of a report. Its rows are periods, or products, customers or taxes. */
export interface Layout {
  /** The columns. The first ones identify the row. */
  columns: readonly Column[]
  /** SQL: the `order by` of the rows, by column names. */
  order: string
  /**
   * The column with the UUID of each row. Set it for layouts that exceed one statement's row limit: their CSV files
   * are read in pages by this column.
   */
  rowId?: string
  /** SQL: a query with the columns of the report, on the tables of one store. Its parts are in `sql.ts`. */
  sql: (keys: KeySql) => string
  /** Whether it reads daily sums, which are built on demand. */
  usesStoredSums?: true
  /** SQL: adds the texts to rows. Only the rows of one page need them. */
  withNames?: (rows: string) => string
}

/** A report on the sales, stock or ledgers of a store in a range of days. It only reads. */
export interface Report {
  name: string
  summary: string
  description: string
  /**
   * The layouts by their name in the parameter `by`. The first is the default. In the layout `period` the rows are
   * periods.
   */
  layouts: Readonly<Record<string, Layout>>
  /** The values of the parameter `status`. Undefined if the report does not have this parameter. */
  statuses?: readonly string[]
  /** Whether the report is in the store's currency, whatever the currencies of orders. */
  inStoreCurrency?: true
}

export const PERIOD = 'period'

export const layoutNames = ({ layouts }: Report): string[] => Object.keys(layouts)

/** Returns the layout with a name; by default the first one. */
export function layoutOf({ layouts }: Report, by?: string): { name: string; layout: Layout } {
  const [first] = Object.entries(layouts)
  const name = by ?? first?.[0] ?? ''
  return { name, layout: layouts[name] as Layout }
}
