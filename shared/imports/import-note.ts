import { StoreModel } from '#shared/platform/db/model.ts'

/** A fault or warning with its line (from 1). If it is about one cell, it has the column and text of the cell. */
export class ImportNote extends StoreModel {
  static override tableName = 'import_notes'

  declare jobId: string
  declare severity: 'error' | 'warning'
  declare line: number
  declare field: string | null
  declare message: string
  declare value: string | null
}
