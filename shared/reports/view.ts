import { type TSchema, Type } from 'typebox'
import { CurrencyCode, Nullable, Shape } from '#shared/platform/http/schema.ts'
import { toPascalCase } from '#shared/platform/http/to-pascal-case.ts'
import { toMajor } from '#shared/platform/money.ts'
import { toPercent } from '#shared/tax/percent.ts'
import { COLUMN_KINDS, type Column, type ColumnKind } from './column.ts'
import type { Range } from './range.ts'
import { GROUPS, type Lines, type ReportRow } from './read-report.ts'
import { layoutNames, PERIOD, type Report } from './report.ts'

const VALUES: Record<ColumnKind, TSchema> = {
  text: Type.String(),
  count: Nullable(Type.Integer()),
  money: Nullable(Type.Number({ description: 'Major units; may be negative' })),
  percent: Nullable(Type.Number()),
}

const rowOf = (columns: readonly Column[], title: string) =>
  Shape(
    Object.fromEntries(
      columns.map(({ name, kind, description }) => [name, { ...VALUES[kind], description }]),
    ),
    { title },
  )

/** Returns the schema of the totals. Columns without a total are null, texts are empty. */
const totalsOf = (columns: readonly Column[], title: string) =>
  Shape(Object.fromEntries(columns.map(({ name, kind }) => [name, VALUES[kind]])), { title })

/** Returns the name of a report in the API description, with which the names of its parts begin: `SalesReport`. */
const titleOf = ({ name }: Report): string => `${toPascalCase(name)}Report`

const anyOf = (schemas: TSchema[]): TSchema =>
  schemas.length === 1 ? (schemas[0] as TSchema) : Type.Union(schemas)

const DateText = Type.String({ format: 'date' })

export const ReportColumnView = Shape({
  name: Type.String(),
  kind: Type.Enum([...COLUMN_KINDS]),
  description: Type.String(),
})

export const ReportPaginationView = Shape({
  page: Type.Integer(),
  page_size: Type.Integer(),
  total: Type.Integer(),
  total_pages: Type.Integer(),
})

/** Returns the response of a report. */
export function reportView(report: Report) {
  const title = titleOf(report)
  const layouts = Object.entries(report.layouts).map(([name, { columns }]) => ({
    name: toPascalCase(name),
    columns,
  }))
  const lines = {
    date_from: DateText,
    date_to: DateText,
    rows: Type.Array(anyOf(layouts.map(({ name, columns }) => rowOf(columns, `${title}RowBy${name}`)))),
    totals: anyOf(layouts.map(({ name, columns }) => totalsOf(columns, `${title}TotalsBy${name}`))),
  }
  const properties = {
    report: Type.Literal(report.name),
    by: Type.Enum(layoutNames(report), { description: `The dimension of the rows; \`${PERIOD}\`: periods` }),
    group: Type.Enum([...GROUPS], { description: 'The length of a period' }),
    time_zone: Type.String({ description: 'IANA name; days begin and end in it' }),
    currency: CurrencyCode,
    columns: Type.Array(ReportColumnView),
    ...lines,
    pagination: {
      ...Nullable(ReportPaginationView),
      description: 'Null where the rows are periods, which are answered whole',
    },
    previous: Nullable(
      Shape(lines, {
        description:
          'With `compare=previous`: as many days right before. Its rows only where they are periods',
      }),
    ),
  }
  return Shape(properties, { title })
}

export const viewColumns = (columns: readonly Column[]) =>
  columns.map(({ name, kind, description }) => ({ name, kind, description }))

/** Returns a value as responses and CSV files show it. */
export function viewValue(value: string | bigint | null | undefined, kind: ColumnKind, currency: string) {
  if (kind === 'text') return value === null || value === undefined ? '' : `${value}`
  if (value === null || value === undefined) return null
  if (kind === 'money') return toMajor(BigInt(value), currency)
  return kind === 'percent' ? toPercent(Number(value)) : Number(value)
}

const viewRow = (row: ReportRow, columns: readonly Column[], currency: string) =>
  Object.fromEntries(columns.map(({ name, kind }) => [name, viewValue(row[name], kind, currency)]))

export const viewLines = (
  { dateFrom, dateTo }: Range,
  { rows, totals }: Lines,
  columns: readonly Column[],
  currency: string,
) => ({
  date_from: dateFrom,
  date_to: dateTo,
  rows: rows.map((row) => viewRow(row, columns, currency)),
  totals: viewRow(totals, columns, currency),
})
