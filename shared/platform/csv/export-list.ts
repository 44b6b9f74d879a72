import type { QueryBuilderType, StoreModel } from '../db/model.ts'
import type { StoreTx } from '../db/store-scope.ts'
import { type CsvColumn, CsvFile } from './csv-file.ts'
import { readInPages } from './read-in-pages.ts'

interface ExportedList<Row extends StoreModel, View> {
  /** The file name without `.csv`. */
  name: string
  /** The rows of the list without order and pages. */
  matching(tx: StoreTx): QueryBuilderType<Row>
  /** The views of rows, in their order. */
  toViews(tx: StoreTx, rows: Row[]): View[] | Promise<View[]>
  columns: readonly CsvColumn<View>[]
}

const ROWS_PER_PAGE = 200

/** A list of a model as a CSV file: all rows that match, in the order of their ids, which is that of their creation. */
export async function exportList<Row extends StoreModel, View extends { id: string }>(
  tx: StoreTx,
  { name, matching, toViews, columns }: ExportedList<Row, View>,
): Promise<CsvFile> {
  const totalRows = await matching(tx).resultSize()
  const rows = readInPages(tx.storeId, {
    size: ROWS_PER_PAGE,
    async read(page, afterId, size) {
      const query = matching(page)
      if (afterId) query.where('id', '>', afterId)
      return toViews(page, (await query.orderBy('id').limit(size)) as unknown as Row[])
    },
  })
  return CsvFile.of<View>({ name, columns, rows, totalRows })
}

type Value = ReturnType<CsvColumn<unknown>['value']>
type Plain<View> = { [K in keyof View]: View[K] extends Value ? K : never }[keyof View] & string

/** Columns with the name and the value of fields of a view. */
export const fieldColumns = <View>(...fields: Plain<View>[]): CsvColumn<View>[] =>
  fields.map((name) => ({ name, value: (view) => view[name] as Value }))

/** Columns with the fields of an object in a view: `shipping_city`. Empty without the object. */
export const partColumns = <View, Part extends object>(
  prefix: string,
  partOf: (view: View) => Part | null,
  ...fields: (keyof Part & string)[]
): CsvColumn<View>[] =>
  fields.map((field) => ({
    name: `${prefix}_${field}`,
    value: (view) => (partOf(view)?.[field] ?? null) as Value,
  }))
