import { CatalogErrors } from '#shared/catalog/errors.ts'
import { invalid } from '#shared/platform/validation.ts'
import { NAMED_TERMS, NamedTerm, toNameKey } from './named-term.ts'
import { deletedProductIds, type Taxonomy } from './taxonomy.ts'

/** A group of attributes that are shown together: "Material", "Dimensions". */
export class AttributeGroup extends NamedTerm {
  static override tableName = 'attribute_groups'
}

/** A group is in use while it has attributes. */
export const attributeGroups: Taxonomy<AttributeGroup> = {
  model: AttributeGroup,
  list: NAMED_TERMS,
  duplicateError: CatalogErrors.nameTaken,
  prepare: async (_tx, store, input) => ({ ...input, ...toNameKey(input, store) }),
  detachDeletedProducts: async () => {},
}

/**
 * A property of products, e.g. "Fabric" or "Height". Each product has one value of it. Its name is unique in its group.
 */
export class Attribute extends NamedTerm {
  static override tableName = 'attributes'

  declare groupId: string
}

/** An attribute is in use while a product has a value of it. */
export const attributes: Taxonomy<Attribute> = {
  model: Attribute,
  list: NAMED_TERMS,
  duplicateError: CatalogErrors.nameTaken,
  async prepare(tx, store, input) {
    const { groupId } = input
    if (groupId && !(await AttributeGroup.in(tx).findById(groupId).forKeyShare().select('id')))
      throw invalid(
        ['group_id'],
        'This store does not have this attribute group. Use the id of an existing one',
        groupId,
      )
    return { ...input, ...toNameKey(input, store) }
  },
  detachDeletedProducts: (tx, id) =>
    tx
      .knex('product_attributes')
      .where({ store_id: tx.storeId, attribute_id: id })
      .whereIn('product_id', deletedProductIds(tx))
      .delete(),
}
