/** The kinds of values in a report. SQL returns money in minor units, and percentages in millionths (`ratePpm`). */
export const COLUMN_KINDS = ['text', 'count', 'money', 'percent'] as const
export type ColumnKind = (typeof COLUMN_KINDS)[number]

/**
 * How a column is totalled. `sum`: the sum of its rows. `last`: the value of its last row. `recount`: counted again
 * over the whole range, because rows overlap. `none`: a total has no meaning.
 */
export type ColumnTotal = 'sum' | 'last' | 'recount' | 'none'

/** One column of a report: the name of its SQL column, and its meaning. */
export interface Column {
  name: string
  kind: ColumnKind
  description: string
  total: ColumnTotal
}

const column =
  (kind: ColumnKind, usual: ColumnTotal) =>
  (name: string, description: string, total: ColumnTotal = usual): Column => ({
    name,
    kind,
    description,
    total,
  })

export const text = column('text', 'none')
export const count = column('count', 'sum')
export const money = column('money', 'sum')
export const percent = column('percent', 'none')
