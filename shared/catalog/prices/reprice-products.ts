import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueueAll } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { bumpCatalogVersion } from '#shared/stores/catalog-version.ts'
import { repriceProducts as repriceLater } from '../jobs.ts'
import { publishedSql } from '../storefront/sql.ts'
import { appliedPriceSql, ruledPriceSql } from './current-price.ts'

const AT = '$1::timestamptz'

/** Windows of product `q` that have an edge after the moment: its sales' and its price rules'. */
const NEXT_EDGE = `select min(edge) from (
    select unnest(array[v.sale_starts_at, v.sale_ends_at]) as edge from product_variants v
    where v.store_id = q.store_id and v.product_id = q.id and v.deleted_at is null and v.sale_price_minor is not null
    union all
    select unnest(array[r.starts_at, r.ends_at]) from price_rules r
    where r.store_id = q.store_id and r.product_id = q.id) edges
  where edge > ${AT}`

/** Locks in the order of ids, as an import does, so that the two never wait for each other in a ring. */
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
 * Brings products to what they cost from this moment on: by `current_price_minor` lists are sorted and filtered from an
 * index. It is the lowest price that one unit of a published variant has. Whoever writes a price calls this after it;
 * what time alone changes is brought about by a job at that time.
 */
export async function repriceProducts(tx: StoreTx, productIds: string[]): Promise<void> {
  if (productIds.length) await awaitEdges(tx, await tx.prepared<Repriced>(REPRICE_THESE, [now(), productIds]))
}

/** The same for the products of which a window has opened or closed by the moment `at`. */
export async function repriceDueProducts(tx: StoreTx, at: Date): Promise<void> {
  const repriced = await tx.prepared<Repriced>(REPRICE_DUE, [at])
  if (repriced.length) bumpCatalogVersion(tx)
  await awaitEdges(tx, repriced)
}

/** One job an edge, however many products have it. */
async function awaitEdges(tx: StoreTx, repriced: Repriced[]): Promise<void> {
  const edges = new Set(repriced.flatMap(({ changesAt }) => changesAt?.getTime() ?? []))
  await enqueueAll(
    tx,
    repriceLater,
    [...edges].map((edge) => ({ payload: { at: new Date(edge).toISOString() }, startAfter: new Date(edge) })),
  )
}
