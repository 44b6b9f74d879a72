import { invalid } from '#shared/platform/validation.ts'
import { CatalogErrors } from '../errors.ts'
import { AttributeGroup } from './attribute-group.ts'
import { filterByAnyName, NamedTerm, toNameKey } from './named-term.ts'
import type { Taxonomy } from './taxonomy.ts'

/** A property that products have a value of: "Fabric", "Height". Its name is unique in its group. */
export class Attribute extends NamedTerm {
  static override tableName = 'attributes'

  declare groupId: string
}

export const attributes: Taxonomy<Attribute> = {
  model: Attribute,
  order: ['position', 'name_key', 'id'],
  duplicateError: CatalogErrors.nameTaken,
  filterByName: filterByAnyName,
  async prepare(tx, store, said) {
    const { groupId } = said
    if (groupId && !(await AttributeGroup.in(tx).findById(groupId).forKeyShare().select('id')))
      throw invalid(['group_id'], 'This store has no such attribute group', groupId)
    return { ...said, ...toNameKey(said, store) }
  },
  detachDeletedProducts: (tx, id) =>
    tx
      .knex('product_attributes')
      .where({ store_id: tx.storeId, attribute_id: id })
      .whereIn(
        'product_id',
        tx.knex('products').where('store_id', tx.storeId).whereNotNull('deleted_at').select('id'),
      )
      .delete(),
}
