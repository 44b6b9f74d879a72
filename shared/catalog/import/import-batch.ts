import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CatalogJob } from './catalog-job.ts'
import type { RowNote } from './cells.ts'
import { loadKnownCatalog } from './known-catalog.ts'
import { type PlanSettings, type ProductPlan, planProduct } from './plan-product.ts'
import type { Batch } from './read-batches.ts'
import { type Change, findChanges, saveChanges } from './save-plans.ts'

/**
 * Imports a batch of the file in this transaction: saves the valid products, records the faults and the progress. Returns
 * false, without a change, when another worker has imported this batch.
 */
export async function importBatch(
  tx: StoreTx,
  jobId: string,
  batch: Batch,
  settings: PlanSettings,
): Promise<boolean> {
  const job = await CatalogJob.in(tx).where('id', jobId).first().forNoKeyUpdate()
  if (job?.status !== 'running' || job.bytesDone !== batch.start.byte) return false

  const known = await loadKnownCatalog(tx, job, batch.products)
  const planned = [...batch.products.values()].map((rows) => planProduct(rows, known, settings))
  const plans = planned.flatMap(({ plan }) => plan ?? [])
  const notes = [...batch.faults, ...planned.flatMap((one) => one.notes)].sort((a, b) => a.line - b.line)

  const { currency, language } = settings
  const changes = await findChanges(tx, plans, { language, dryRun: job.dryRun })
  if (!job.dryRun) await saveChanges(tx, changes, { jobId, currency, language })
  await recordVariants(tx, jobId, plans)
  await recordNotes(tx, job, notes)
  await recordProgress(tx, job, { batch, plans, changes, notes })
  return true
}

async function recordVariants(tx: StoreTx, jobId: string, plans: ProductPlan[]): Promise<void> {
  const rows = plans.flatMap(({ slug, variants }) =>
    variants.map(({ line, variant }) => ({
      sku: variant.sku,
      slug,
      line,
      option_values: variant.optionValues,
    })),
  )
  if (rows.length) await tx.knex.raw(RECORD_VARIANTS, [tx.storeId, jobId, JSON.stringify(rows)])
}

// One value in place of five for each row, which PostgreSQL would parse one by one.
const RECORD_VARIANTS = `
  insert into catalog_job_variants (store_id, job_id, sku, slug, line, option_values)
  select cast(? as uuid), cast(? as uuid), r.sku, r.slug, r.line, r.option_values
  from jsonb_to_recordset(cast(? as jsonb)) as r(sku text, slug text, line integer, option_values json)`

// The first faults are enough to correct a file that is faulty throughout.
const MAX_RECORDED_NOTES = 10_000

/** Records faults and warnings. */
export async function recordNotes(tx: StoreTx, job: CatalogJob, notes: RowNote[]): Promise<void> {
  const before = { error: job.errorCount, warning: job.warningCount }
  const recorded = (['error', 'warning'] as const).flatMap((severity) =>
    notes
      .filter((note) => note.severity === severity)
      .slice(0, Math.max(0, MAX_RECORDED_NOTES - before[severity])),
  )
  const rows = recorded.map((note) => ({ store_id: tx.storeId, id: newId(), job_id: job.id, ...note }))
  if (rows.length) await tx.knex('catalog_job_errors').insert(rows)
}

/** The numbers of a job's errors and warnings, with those of a batch. */
export const noteCounts = ({ errorCount, warningCount }: CatalogJob, notes: RowNote[]) => {
  const errors = notes.filter(({ severity }) => severity === 'error').length
  return { errorCount: errorCount + errors, warningCount: warningCount + notes.length - errors }
}

interface Imported {
  batch: Batch
  plans: ProductPlan[]
  changes: Change[]
  notes: RowNote[]
}

const recordProgress = (tx: StoreTx, job: CatalogJob, { batch, plans, changes, notes }: Imported) => {
  const { end, blankRows } = batch
  const variants = plans.flatMap((plan) => plan.variants)
  const changed = changes.flatMap((change) => change.variants)
  const created = { products: plans.filter(isNew).length, variants: variants.filter(isNew).length }
  return CatalogJob.in(tx)
    .where('id', job.id)
    .patch({
      rowsIgnored: job.rowsIgnored + blankRows,
      bytesDone: end.byte,
      linesDone: end.line,
      productsCreated: job.productsCreated + created.products,
      productsUpdated: job.productsUpdated + plans.length - created.products,
      productsChanged: job.productsChanged + changes.filter(({ plan }) => plan.before).length,
      variantsCreated: job.variantsCreated + created.variants,
      variantsUpdated: job.variantsUpdated + variants.length - created.variants,
      variantsChanged: job.variantsChanged + changed.filter(({ before }) => before).length,
      ...noteCounts(job, notes),
    })
}

const isNew = ({ before }: { before: unknown }): boolean => before === null
