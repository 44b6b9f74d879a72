import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import type { Statement } from '#shared/platform/db/statement.ts'
import type { StorefrontContext } from './context.ts'
import { type FilterSql, filterSql, type ProductFilter } from './product-filter.ts'
import { versionedCache } from './versioned-cache.ts'

const statements = new Map<string, Statement>()
const keep = versionedCache<number>(10_000)

/**
 * How many published products pass a filter. Every catalog change raises the version, so a count is made once a
 * version and kept: pages of a million products don't each count them.
 */
export function countProducts(reader: StorefrontContext, filter: ProductFilter): Promise<number> {
  const sql = filterSql(reader, filter, 1)
  return keep(reader, [sql.shape, sql.values], async () => {
    const [row] = await readInStore(reader.store.id, statementOf(sql), sql.values)
    return Number(row?.[0] ?? 0)
  })
}

function statementOf({ shape, withs, condition }: FilterSql): Statement {
  const name = `count_products ${shape}`
  const statement = statements.get(name) ?? {
    name,
    text: `${withs} select count(*) from products p where ${condition}`,
  }
  statements.set(name, statement)
  return statement
}
