import { publishedSql } from '#shared/catalog/storefront-context/sql.ts'
import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueueAll } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { repriceProducts as repriceJob } from '../jobs.ts'
import { appliedPriceSql, ruledPriceSql } from './current-price.ts'

const AT = '$1::timestamptz'

/** The next start or end of a sale or price rule of product `q`. */
const NEXT_EDGE = `select min(edge) from (
    select unnest(array[v.sale_starts_at, v.sale_ends_at]) as edge from product_variants v
    where v.store_id = q.store_id and v.product_id = q.id and v.deleted_at is null and v.sale_price_minor is not null
    union all
    select unnest(array[r.starts_at, r.ends_at]) from price_rules r
    where r.store_id = q.store_id and r.product_id = q.id) edges
  where edge > ${AT}`

/** Locks products in the order of ids, as an import does, so that the two cannot deadlock. */
const reprice = (name: string, which: string): Statement => ({
  name,
  text: `
    with chosen as (
      select q.* from products q where q.store_id = ${CURRENT_STORE} and ${which} order by q.id for no key update),
    priced as (
      select q.id, (${NEXT_EDGE}) as changes_at, coalesce((
        select min(${appliedPriceSql('v', 'q', AT, 'special.price')}) from product_variants v
        where v.store_id = q.store_id and v.product_id = q.id and ${publishedSql('v')}), q.price_minor) as price
      from chosen q cross join lateral (select ${ruledPriceSql('q', '1', AT)} as price) special)
    update products p set current_price_minor = priced.price, price_changes_at = priced.changes_at
    from priced where p.store_id = ${CURRENT_STORE} and p.id = priced.id
      and (p.current_price_minor, p.price_changes_at) is distinct from (priced.price, priced.changes_at)
    returning p.price_changes_at as "changesAt"`,
})

const REPRICE_THESE = reprice('reprice_products', 'q.id = any($2::uuid[])')
const REPRICE_DUE = reprice('reprice_due_products', `q.price_changes_at <= ${AT}`)

interface Repriced {
  changesAt: Date | null
}

/**
 * Updates `current_price_minor` of products, the lowest current price of one unit of a published variant: lists are
 * sorted and filtered by it with an index. Every change of a price must call it. A job updates it when a window starts
 * or ends.
 */
export async function repriceProducts(tx: StoreTx, productIds: string[]): Promise<void> {
  if (productIds.length)
    await enqueueNextChanges(tx, await tx.prepared<Repriced>(REPRICE_THESE, [now(), productIds]))
}

/** Updates the products of which a window has started or ended by `at`. */
export async function repriceDueProducts(tx: StoreTx, at: Date): Promise<void> {
  const repriced = await tx.prepared<Repriced>(REPRICE_DUE, [at])
  if (repriced.length) bumpCatalogVersion(tx)
  await enqueueNextChanges(tx, repriced)
}

/** Enqueues one job for each time, however many products change then. */
async function enqueueNextChanges(tx: StoreTx, repriced: Repriced[]): Promise<void> {
  const times = new Set(repriced.flatMap(({ changesAt }) => changesAt?.getTime() ?? []))
  await enqueueAll(
    tx,
    repriceJob,
    [...times].map((time) => ({ payload: { at: new Date(time).toISOString() }, startAfter: new Date(time) })),
  )
}
