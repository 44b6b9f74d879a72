import { LRUCache } from 'lru-cache'
import { readInStore } from '../platform/one-round-trip.ts'
import type { Statement } from '../platform/statement.ts'
import { type FilterSql, filterSql, type ProductFilter } from './product-filter.ts'
import type { Reader } from './reader.ts'

const statements = new Map<string, Statement>()
const counts = new LRUCache<string, Promise<number>>({ max: 10_000 })

/**
 * How many published products pass a filter. Every catalog change raises the version, so a count is made once a
 * version and kept: pages of a million products don't each count them.
 */
export function countProducts(reader: Reader, filter: ProductFilter): Promise<number> {
  const sql = filterSql(reader, filter, 1)
  const key = JSON.stringify([reader.store.id, reader.catalogVersion, sql.shape, sql.values])
  const kept = counts.get(key)
  if (kept) return kept
  const count = readInStore(reader.store.id, statementOf(sql), sql.values).then(([row]) =>
    Number(row?.[0] ?? 0),
  )
  counts.set(key, count)
  count.catch(() => counts.delete(key))
  return count
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
