import type { Knex } from 'knex'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Product } from './product.ts'
import { searchNameSql, searchSql } from './search-text.ts'

const SEARCH = searchSql({ nameI18n: '?::jsonb', tags: '?::text[]', descriptionI18n: '?::jsonb' })
const SEARCH_NAME = searchNameSql('?::jsonb')

/** The columns that a product is found by, for an insert or update of its row. */
export function searchColumns(
  tx: StoreTx,
  { nameI18n, tags, descriptionI18n }: Pick<Product, 'nameI18n' | 'tags' | 'descriptionI18n'>,
): { search: Knex.Raw; search_name: Knex.Raw } {
  const name = JSON.stringify(nameI18n)
  return {
    search: tx.knex.raw(SEARCH, [name, tags, JSON.stringify(descriptionI18n)]),
    search_name: tx.knex.raw(SEARCH_NAME, [name]),
  }
}
