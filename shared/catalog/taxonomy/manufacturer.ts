import { likePattern } from '#shared/platform/db/like-pattern.ts'
import { CatalogErrors } from '../errors.ts'
import { takeOffDeletedProducts } from './take-off-deleted.ts'
import type { Vocabulary } from './taxonomy.ts'
import { Term } from './term.ts'

/** Who makes a product. Its name is unique in the store. */
export class Manufacturer extends Term {
  static override tableName = 'manufacturers'

  declare name: string
}

export const manufacturers: Vocabulary<Manufacturer> = {
  model: Manufacturer,
  order: ['name'],
  taken: CatalogErrors.nameTaken,
  named: (query, words) => query.where('name', 'ilike', likePattern(words)),
  prepare: async (_tx, _store, said) => said,
  letGo: takeOffDeletedProducts('manufacturer_id'),
}
