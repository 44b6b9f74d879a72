import { CatalogErrors } from '#shared/catalog/errors.ts'
import { NAMED_TERMS, NamedTerm, toNameKey } from './named-term.ts'
import { clearOnDeletedProducts, type Taxonomy } from './taxonomy.ts'

/** The text that a storefront shows when a product is out of stock: "Back in two weeks". */
export class StockStatus extends NamedTerm {
  static override tableName = 'stock_statuses'
}

/** A stock status is in use while a product refers to it. */
export const stockStatuses: Taxonomy<StockStatus> = {
  model: StockStatus,
  list: NAMED_TERMS,
  duplicateError: CatalogErrors.nameTaken,
  prepare: async (_tx, store, input) => ({ ...input, ...toNameKey(input, store) }),
  detachDeletedProducts: clearOnDeletedProducts('stock_status_id'),
}
