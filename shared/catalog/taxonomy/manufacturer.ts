import { likePattern } from '#shared/platform/db/list-query.ts'
import { CatalogErrors } from '../errors.ts'
import { clearOnDeletedProducts, type Taxonomy, Term } from './taxonomy.ts'

/** The manufacturer of a product. Its name is unique in the store. */
export class Manufacturer extends Term {
  static override tableName = 'manufacturers'

  declare name: string
}

/** A manufacturer is in use while a product refers to it. */
export const manufacturers: Taxonomy<Manufacturer> = {
  model: Manufacturer,
  order: ['name'],
  duplicateError: CatalogErrors.nameTaken,
  filterByName: (query, words) => query.where('name', 'ilike', likePattern(words)),
  prepare: async (_tx, _store, input) => input,
  detachDeletedProducts: clearOnDeletedProducts('manufacturer_id'),
}
