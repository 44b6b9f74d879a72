import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CatalogJob } from './catalog-job.ts'
import type { RowFault } from './cells.ts'
import { loadKnownCatalog } from './known-catalog.ts'
import { type ProductPlan, planProduct } from './plan-product.ts'
import type { Batch } from './read-batches.ts'
import { savePlans } from './save-plans.ts'

interface ImportSettings {
  currency: string
  /** The store's default language, which is the language of the file. */
  language: string
}

/**
 * Imports a batch of the file in this transaction: saves the valid products, records the faults and the progress. Returns
 * false, without a change, when another worker has imported this batch.
 */
export async function importBatch(
  tx: StoreTx,
  jobId: string,
  batch: Batch,
  settings: ImportSettings,
): Promise<boolean> {
  const job = await CatalogJob.in(tx).where('id', jobId).first().forNoKeyUpdate()
  if (job?.status !== 'running' || job.bytesDone !== batch.start.byte) return false

  const known = await loadKnownCatalog(tx, job, batch.products)
  const planned = [...batch.products.values()].map((rows) => planProduct(rows, known, settings.language))
  const plans = planned.flatMap(({ plan }) => plan ?? [])
  const faults = [...batch.faults, ...planned.flatMap((one) => one.faults)].sort((a, b) => a.line - b.line)

  if (!job.dryRun) await savePlans(tx, plans, { jobId, ...settings })
  await recordVariants(tx, jobId, plans)
  await recordFaults(tx, job, faults)
  await recordProgress(tx, job, batch, plans, faults.length)
  return true
}

async function recordVariants(tx: StoreTx, jobId: string, plans: ProductPlan[]): Promise<void> {
  const rows = plans.flatMap(({ slug, variants }) =>
    variants.map(({ line, variant }) => ({
      store_id: tx.storeId,
      job_id: jobId,
      sku: variant.sku,
      slug,
      line,
      option_values: JSON.stringify(variant.optionValues),
    })),
  )
  if (rows.length) await tx.knex('catalog_job_variants').insert(rows)
}

// The first faults are enough to correct a file that is faulty throughout.
const MAX_RECORDED_FAULTS = 10_000

async function recordFaults(tx: StoreTx, job: CatalogJob, faults: RowFault[]): Promise<void> {
  const recorded = faults.slice(0, Math.max(0, MAX_RECORDED_FAULTS - job.errorCount))
  const rows = recorded.map((fault) => ({ store_id: tx.storeId, id: newId(), job_id: job.id, ...fault }))
  if (rows.length) await tx.knex('catalog_job_errors').insert(rows)
}

const recordProgress = (
  tx: StoreTx,
  job: CatalogJob,
  { columns, end }: Batch,
  plans: ProductPlan[],
  faultCount: number,
) => {
  const variants = plans.flatMap((plan) => plan.variants)
  const created = { products: plans.filter(isNew).length, variants: variants.filter(isNew).length }
  return CatalogJob.in(tx)
    .where('id', job.id)
    .patch({
      ...(columns ? { columns } : {}),
      bytesDone: end.byte,
      linesDone: end.line,
      productsCreated: job.productsCreated + created.products,
      productsUpdated: job.productsUpdated + plans.length - created.products,
      variantsCreated: job.variantsCreated + created.variants,
      variantsUpdated: job.variantsUpdated + variants.length - created.variants,
      errorCount: job.errorCount + faultCount,
    })
}

const isNew = ({ before }: { before: unknown }): boolean => before === null
