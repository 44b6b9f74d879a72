import { type TSchema, Type } from 'typebox'
import { Nullable, Shape } from '#shared/platform/http/schema.ts'
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

const shapeOf = (columns: readonly Column[]) =>
  Shape(
    Object.fromEntries(
      columns.map(({ name, kind, description }) => [name, { ...VALUES[kind], description }]),
    ),
  )

/** Columns without a total are null, texts empty. */
const totalsOf = (columns: readonly Column[]) =>
  Shape(Object.fromEntries(columns.map(({ name, kind }) => [name, VALUES[kind]])))

const anyOf = (schemas: TSchema[]): TSchema =>
  schemas.length === 1 ? (schemas[0] as TSchema) : Type.Union(schemas)

const DateText = Type.String({ format: 'date' })

/** The response of a report. */
export function reportView(report: Report) {
  const columns = Object.values(report.layouts).map((layout) => layout.columns)
  const lines = {
    date_from: DateText,
    date_to: DateText,
    rows: Type.Array(anyOf(columns.map(shapeOf))),
    totals: anyOf(columns.map(totalsOf)),
  }
  return Shape({
    report: Type.Literal(report.name),
    by: Type.Enum(layoutNames(report), { description: `What the rows are; \`${PERIOD}\`: periods` }),
    group: Type.Enum([...GROUPS], { description: 'The length of a period' }),
    time_zone: Type.String({ description: 'IANA name; days begin and end in it' }),
    currency: Type.String({ description: 'ISO 4217' }),
    columns: Type.Array(
      Shape({ name: Type.String(), kind: Type.Enum([...COLUMN_KINDS]), description: Type.String() }),
    ),
    ...lines,
    pagination: Nullable(
      Shape(
        {
          page: Type.Integer(),
          page_size: Type.Integer(),
          total: Type.Integer(),
          total_pages: Type.Integer(),
        },
        { description: 'Null where the rows are periods, which are answered whole' },
      ),
    ),
    previous: Nullable(
      Shape(lines, {
        description:
          'With `compare=previous`: as many days right before. Its rows only where they are periods',
      }),
    ),
  })
}

export const viewColumns = (columns: readonly Column[]) =>
  columns.map(({ name, kind, description }) => ({ name, kind, description }))

/** A value as a response shows it, and as CSV does. */
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
