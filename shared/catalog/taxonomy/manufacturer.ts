import { likePattern } from '#shared/platform/db/list-query.ts'
import { CatalogErrors } from '../errors.ts'
import { clearOnDeletedProducts } from './take-off-deleted.ts'
import type { Taxonomy } from './taxonomy.ts'
import { Term } from './term.ts'

/** Who makes a product. Its name is unique in the store. */
export class Manufacturer extends Term {
  static override tableName = 'manufacturers'

  declare name: string
}

export const manufacturers: Taxonomy<Manufacturer> = {
  model: Manufacturer,
  order: ['name'],
  duplicateError: CatalogErrors.nameTaken,
  filterByName: (query, words) => query.where('name', 'ilike', likePattern(words)),
  prepare: async (_tx, _store, said) => said,
  detachDeletedProducts: clearOnDeletedProducts('manufacturer_id'),
}
