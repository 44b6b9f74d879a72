import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { inMs, MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import { lowestPriceSql } from './current-price.ts'
import { enqueueRepricing } from './enqueue-repricing.ts'

const AT = '$1::timestamptz'

/** SQL of the time of the next start or end of a sale or price rule of product `q`. */
const NEXT_START_OR_END = `select min(time) from (
    select unnest(array[v.sale_starts_at, v.sale_ends_at]) as time from product_variants v
    where v.store_id = q.store_id and v.product_id = q.id and v.deleted_at is null and v.sale_price_minor is not null
    union all
    select unnest(array[r.starts_at, r.ends_at]) from price_rules r
    where r.store_id = q.store_id and r.product_id = q.id) times
  where time > ${AT}`

/**
 * Returns a statement that reprices the products `q` of a condition. It returns how many products changed, and the
 * earliest time at which one of them changes again. It locks products by ascending id, as an import does, so that the
 * two cannot deadlock.
 */
const reprice = (name: string, condition: string): Statement => ({
  name,
  text: `
    with chosen as (
      select q.* from products q where q.store_id = ${CURRENT_STORE} and ${condition} order by q.id for no key update),
    priced as (
      select q.id, (${NEXT_START_OR_END}) as changes_at, ${lowestPriceSql('q', AT)} as price from chosen q),
    repriced as (
      update products p set current_price_minor = priced.price, price_changes_at = priced.changes_at
      from priced where p.store_id = ${CURRENT_STORE} and p.id = priced.id
        and (p.current_price_minor, p.price_changes_at) is distinct from (priced.price, priced.changes_at)
      returning p.price_changes_at)
    select count(*)::integer as products, min(price_changes_at) as "changesAt" from repriced`,
})

const REPRICE_BY_ID = reprice('reprice_products', 'q.id = any($2::uuid[])')
// The subquery chooses the batch by the index of due products. The outer condition checks each product again, because
// another transaction may have repriced it while this statement waited for its lock.
const REPRICE_DUE = reprice(
  'reprice_due_products',
  `q.price_changes_at <= ${AT} and q.id = any(array(
    select d.id from products d where d.store_id = ${CURRENT_STORE} and d.price_changes_at <= ${AT}
    order by d.price_changes_at limit $2))`,
)

const NEXT_CHANGE: Statement = {
  name: 'find_next_price_change',
  text: `
    select price_changes_at as "changesAt" from products
    where store_id = ${CURRENT_STORE} and price_changes_at > ${AT} order by price_changes_at limit 1`,
}

interface Repriced {
  products: number
  changesAt: Date | null
}

/**
 * Updates `current_price_minor` of products: the lowest current price of one unit of a published variant. Lists sort
 * and filter by it with an index. Call it after every change of a price. A job calls it when a window starts or ends.
 */
export async function repriceProducts(tx: StoreTx, productIds: string[]): Promise<void> {
  if (productIds.length === 0) return
  const [repriced] = await tx.prepared<Repriced>(REPRICE_BY_ID, [now(), productIds])
  if (repriced?.changesAt) await enqueueChange(tx, repriced.changesAt)
}

/** One transaction reprices at most this many products, so it holds no lock for long. */
const BATCH_SIZE = 500
const BEGINNING_OF_TIME = new Date(0)

/**
 * Updates up to 500 products with a window that has started or ended by `at`. Returns whether more are due. After the
 * last ones, enqueues the job of the next change.
 */
export async function repriceDueProducts(tx: StoreTx, at: Date): Promise<boolean> {
  const [repriced] = await tx.prepared<Repriced>(REPRICE_DUE, [at, BATCH_SIZE])
  if (repriced?.products) bumpCatalogVersion(tx)
  const next = await findNextChange(tx, BEGINNING_OF_TIME)
  if (next && next <= at) return true
  if (next) await enqueueRepricing(tx, next)
  return false
}

// Longer than any transaction: a job that runs later than this sees what the present transaction has changed.
const COMMITTED_AFTER_MS = 10 * MINUTE_MS

/**
 * Enqueues a job for the earliest change of a transaction. If an earlier change has a job, that job will enqueue the
 * next one, and nothing is enqueued here. So an import of many windows leaves few jobs: pg-boss reads all waiting jobs
 * of a store whenever it looks for one that is due.
 */
async function enqueueChange(tx: StoreTx, changesAt: Date): Promise<void> {
  const earlier = await findNextChange(tx, inMs(COMMITTED_AFTER_MS))
  if (!earlier || earlier >= changesAt) await enqueueRepricing(tx, changesAt)
}

async function findNextChange(tx: StoreTx, after: Date): Promise<Date | null> {
  const [next] = await tx.prepared<Pick<Repriced, 'changesAt'>>(NEXT_CHANGE, [after])
  return next?.changesAt ?? null
}
