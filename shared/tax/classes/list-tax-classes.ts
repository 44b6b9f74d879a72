import { List } from '#shared/platform/db/list.ts'
import type { ListFilter } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { TaxClass } from '#shared/tax/tax-class.ts'

export const TAX_CLASSES = new List({
  sorts: { name: 'name', created_at: 'created_at', updated_at: 'updated_at' },
  order: 'name',
  searches: 'Part of the name or the description',
  text: ['name', 'description'],
})

/** Returns a page of the store's tax classes, by default sorted by name. */
export const listTaxClasses = (tx: StoreTx, filter: ListFilter) => TAX_CLASSES.page(TaxClass.in(tx), filter)
