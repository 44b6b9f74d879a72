import { CatalogErrors } from '../errors.ts'
import { keyOfName, NamedTerm, namedInAnyLanguage } from './named-term.ts'
import type { Vocabulary } from './taxonomy.ts'

/** Attributes that belong together: "Material", "Dimensions". */
export class AttributeGroup extends NamedTerm {
  static override tableName = 'attribute_groups'
}

/** Groups are in use as long as they hold attributes. */
export const attributeGroups: Vocabulary<AttributeGroup> = {
  model: AttributeGroup,
  order: ['position', 'name_key'],
  taken: CatalogErrors.nameTaken,
  named: namedInAnyLanguage,
  prepare: async (_tx, store, said) => ({ ...said, ...keyOfName(said, store) }),
  letGo: async () => {},
}
