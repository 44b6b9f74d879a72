import { CatalogErrors } from '../errors.ts'
import { filterByAnyName, NamedTerm, toNameKey } from './named-term.ts'
import { clearOnDeletedProducts } from './take-off-deleted.ts'
import type { Taxonomy } from './taxonomy.ts'

/** What a storefront says of a product of which nothing is in stock: "Back in two weeks". */
export class StockStatus extends NamedTerm {
  static override tableName = 'stock_statuses'
}

export const stockStatuses: Taxonomy<StockStatus> = {
  model: StockStatus,
  order: ['position', 'name_key'],
  duplicateError: CatalogErrors.nameTaken,
  filterByName: filterByAnyName,
  prepare: async (_tx, store, said) => ({ ...said, ...toNameKey(said, store) }),
  detachDeletedProducts: clearOnDeletedProducts('stock_status_id'),
}
