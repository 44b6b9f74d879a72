import { CatalogErrors } from '#shared/catalog/errors.ts'
import { List } from '#shared/platform/db/list.ts'
import { clearOnDeletedProducts, type Taxonomy, Term } from './taxonomy.ts'

/** The manufacturer of a product. Its name is unique in the store. */
export class Manufacturer extends Term {
  static override tableName = 'manufacturers'

  declare name: string
}

/** A manufacturer is in use while a product refers to it. */
export const manufacturers: Taxonomy<Manufacturer> = {
  model: Manufacturer,
  list: new List({
    sorts: { name: 'name', created_at: 'created_at', updated_at: 'updated_at' },
    order: 'name',
    searches: 'Part of the name',
    text: ['name'],
  }),
  duplicateError: CatalogErrors.nameTaken,
  prepare: async (_tx, _store, input) => input,
  detachDeletedProducts: clearOnDeletedProducts('manufacturer_id'),
}
