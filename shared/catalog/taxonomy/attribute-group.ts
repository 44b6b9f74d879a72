import { CatalogErrors } from '../errors.ts'
import { filterByAnyName, NamedTerm, toNameKey } from './named-term.ts'
import type { Taxonomy } from './taxonomy.ts'

/** Attributes that belong together: "Material", "Dimensions". */
export class AttributeGroup extends NamedTerm {
  static override tableName = 'attribute_groups'
}

/** Groups are in use as long as they hold attributes. */
export const attributeGroups: Taxonomy<AttributeGroup> = {
  model: AttributeGroup,
  order: ['position', 'name_key'],
  duplicateError: CatalogErrors.nameTaken,
  filterByName: filterByAnyName,
  prepare: async (_tx, store, said) => ({ ...said, ...toNameKey(said, store) }),
  detachDeletedProducts: async () => {},
}
