import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Texts } from '#shared/platform/text.ts'
import { type Fault, invalid, ValidationError } from '#shared/platform/validation.ts'

/** A product's value of an attribute. */
export interface AttributeValue {
  attributeId: string
  value: string
}

/** A saved value with the names of the attribute and its group. */
export interface AttributeAssignment extends AttributeValue {
  id: string
  attributeNameI18n: Texts
  groupId: string
  groupNameI18n: Texts
}

/** SQL `order by` of attributes `a` in groups `g`: groups by position, then attributes by position. */
export const ATTRIBUTE_ORDER = 'g.position, g.name_key, a.position, a.name_key'

const NAMES = {
  attributeNameI18n: 'a.name_i18n',
  groupId: 'a.group_id',
  groupNameI18n: 'g.name_i18n',
}

const attributesIn = (tx: StoreTx) =>
  tx
    .knex('attributes as a')
    .join('attribute_groups as g', { 'g.store_id': 'a.store_id', 'g.id': 'a.group_id' })
    .where('a.store_id', tx.storeId)
    .orderByRaw(ATTRIBUTE_ORDER)

/** Returns the attribute values of products in display order, by product. */
export async function findAttributes(
  tx: StoreTx,
  productIds: string[],
): Promise<Map<string, AttributeAssignment[]>> {
  const rows: (AttributeAssignment & { productId: string })[] = await attributesIn(tx)
    .join('product_attributes as v', { 'v.store_id': 'a.store_id', 'v.attribute_id': 'a.id' })
    .whereIn('v.product_id', productIds)
    .select({ productId: 'v.product_id', id: 'v.id', attributeId: 'a.id', value: 'v.value', ...NAMES })
  const byProduct = Map.groupBy(rows, ({ productId }) => productId)
  return new Map(
    [...byProduct].map(([id, assignments]) => [id, assignments.map(({ productId: _, ...rest }) => rest)]),
  )
}

/**
 * Builds the attribute values of a product without saving them. Existing values keep their ids. Throws 422 for a
 * repeated or unknown attribute. Locks the attributes against deletion.
 */
export async function assignAttributes(
  tx: StoreTx,
  values: AttributeValue[],
  before: AttributeAssignment[] = [],
): Promise<AttributeAssignment[]> {
  if (values.length === 0) return []
  const ids = values.map(({ attributeId }) => attributeId.toLowerCase())
  const known: Omit<AttributeAssignment, 'id' | 'value'>[] = await attributesIn(tx)
    .whereIn('a.id', ids)
    .forKeyShare('a')
    .select({ attributeId: 'a.id', ...NAMES })
  assertValid(ids, new Set(known.map(({ attributeId }) => attributeId)))
  const idOf = new Map(before.map(({ attributeId, id }) => [attributeId, id]))
  return known.map((attribute) => ({
    ...attribute,
    id: idOf.get(attribute.attributeId) ?? newId(),
    value: values[ids.indexOf(attribute.attributeId)]?.value ?? '',
  }))
}

function assertValid(ids: string[], known: Set<string>): void {
  const faultsOf = (id: string, index: number): Fault[] => {
    const at = ['attributes', index, 'attribute_id']
    if (!known.has(id))
      return invalid(at, 'This store does not have this attribute. Use the id of one of its attributes', id)
        .faults
    return ids.indexOf(id) < index ? invalid(at, 'Give each attribute one value', id).faults : []
  }
  const faults = ids.flatMap(faultsOf)
  if (faults.length) throw new ValidationError(faults)
}

/** Replaces the attribute values of a product. */
export async function replaceAttributes(
  tx: StoreTx,
  productId: string,
  assignments: AttributeAssignment[],
): Promise<void> {
  await tx.knex('product_attributes').where({ store_id: tx.storeId, product_id: productId }).delete()
  if (assignments.length === 0) return
  await tx.knex('product_attributes').insert(
    assignments.map(({ id, attributeId, value }) => ({
      store_id: tx.storeId,
      id,
      product_id: productId,
      attribute_id: attributeId,
      value,
    })),
  )
}
