import { CatalogErrors } from '../errors.ts'
import { keyOfName, NamedTerm, namedInAnyLanguage } from './named-term.ts'
import { takeOffDeletedProducts } from './take-off-deleted.ts'
import type { Vocabulary } from './taxonomy.ts'

/** What a storefront says of a product of which nothing is in stock: "Back in two weeks". */
export class StockStatus extends NamedTerm {
  static override tableName = 'stock_statuses'
}

export const stockStatuses: Vocabulary<StockStatus> = {
  model: StockStatus,
  order: ['position', 'name_key'],
  taken: CatalogErrors.nameTaken,
  named: namedInAnyLanguage,
  prepare: async (_tx, store, said) => ({ ...said, ...keyOfName(said, store) }),
  letGo: takeOffDeletedProducts('stock_status_id'),
}
