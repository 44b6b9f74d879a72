import { attributeGroups, attributes } from '#shared/catalog/taxonomy/attribute.ts'
import { createTerm } from '#shared/catalog/taxonomy/create-term.ts'
import { stockStatuses } from '#shared/catalog/taxonomy/stock-status.ts'
import type { Taxonomy, Term, TermInput } from '#shared/catalog/taxonomy/taxonomy.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { findStoreById } from '#shared/stores/find-store.ts'
import { nextNumber } from '#test/support/builders/store.ts'

interface GivenTerm {
  nameI18n?: Record<string, string>
  position?: number
}

async function build<T extends Term>(
  store: { id: string },
  taxonomy: Taxonomy<T>,
  input: TermInput<T>,
): Promise<T> {
  const visit = await findStoreById(store.id)
  if (!visit) throw new Error('A term needs a built store')
  return inStore(store.id, (tx) => createTerm(tx, visit.store, taxonomy, input))
}

/** A group of attributes. */
export const buildAttributeGroup = (store: { id: string }, given: GivenTerm = {}) =>
  build(store, attributeGroups, { nameI18n: { en: `Group ${nextNumber()}` }, position: 0, ...given })

/** An attribute. Default: in a new group. */
export const buildAttribute = async (store: { id: string }, given: GivenTerm & { groupId?: string } = {}) =>
  build(store, attributes, {
    nameI18n: { en: `Attribute ${nextNumber()}` },
    position: 0,
    ...given,
    groupId: given.groupId ?? (await buildAttributeGroup(store)).id,
  })

/** A stock status. */
export const buildStockStatus = (store: { id: string }, given: GivenTerm = {}) =>
  build(store, stockStatuses, { nameI18n: { en: `Status ${nextNumber()}` }, position: 0, ...given })
