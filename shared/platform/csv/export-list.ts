import type { QueryBuilderType, StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type CsvColumn, CsvFile, type CsvValue } from './csv-file.ts'
import { readInPages } from './read-in-pages.ts'

interface ExportedList<Row extends StoreModel, View> {
  /** The file name without `.csv`. */
  name: string
  /** Returns a query of the rows, without sort and pages. */
  matching(tx: StoreTx): QueryBuilderType<Row>
  /** Returns the views of rows in the same sequence. */
  toViews(tx: StoreTx, rows: Row[]): View[] | Promise<View[]>
  columns: readonly CsvColumn<View>[]
}

const ROWS_PER_PAGE = 200

/** Returns all matching rows of a model as a CSV file, by id and so by creation time. */
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

/** The names of the fields of a view whose values a cell can have. */
type CellField<View> = { [K in keyof View]: View[K] extends CsvValue ? K : never }[keyof View] & string

/** Returns columns for fields of a view. */
export const fieldColumns = <View>(...fields: CellField<View>[]): CsvColumn<View>[] =>
  fields.map((name) => ({ name, value: (view) => view[name] as CsvValue }))

/** Returns columns for the fields of an object in a view, e.g. `shipping_city`. They are empty without the object. */
export const partColumns = <View, Part extends object>(
  prefix: string,
  partOf: (view: View) => Part | null,
  ...fields: (keyof Part & string)[]
): CsvColumn<View>[] =>
  fields.map((field) => ({
    name: `${prefix}_${field}`,
    value: (view) => (partOf(view)?.[field] ?? null) as CsvValue,
  }))
