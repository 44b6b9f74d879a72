import { setImmediate } from 'node:timers/promises'
import { type KnownCatalog, loadKnownCatalog } from '#shared/catalog/import/plan/known-catalog.ts'
import {
  type PlanSettings,
  type ProductPlan,
  type ProductPlanResult,
  planProduct,
} from '#shared/catalog/import/plan/plan-product.ts'
import type { ImportRow } from '#shared/catalog/import/rows/read-row.ts'
import { findChanges, type ProductChange, saveChanges } from '#shared/catalog/import/save/save-plans.ts'
import { claimKeys } from '#shared/imports/claimed-keys.ts'
import type { Batch } from '#shared/imports/file/read-batches.ts'
import { lockImport } from '#shared/imports/import-job.ts'
import { recordImportProgress } from '#shared/imports/record-progress.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * Imports a batch of the file in this transaction: saves the valid products, records the faults and the progress.
 * Returns false, without a change, when another worker has imported this batch.
 */
export async function importBatch(
  tx: StoreTx,
  jobId: string,
  batch: Batch<ImportRow>,
  settings: PlanSettings,
): Promise<boolean> {
  const job = await lockImport(tx, jobId, batch)
  if (!job) return false

  const known = await loadKnownCatalog(tx, job, batch.groups)
  const planned = await planProducts(batch, known, settings)
  const plans = planned.flatMap(({ plan }) => plan ?? [])

  const { currency, language } = settings
  const changes = await findChanges(tx, plans, { language, dryRun: job.dryRun })
  if (!job.dryRun) await saveChanges(tx, changes, { jobId, currency, language })
  await claimSkus(tx, jobId, plans)
  const notes = [...batch.faults, ...planned.flatMap((one) => one.notes)]
  await recordImportProgress(tx, job, batch, { counts: countsOf(plans, changes), notes })
  return true
}

// Other jobs of this process wait while products are planned.
const PLANNED_AT_ONCE = 25

async function planProducts(
  { groups }: Batch<ImportRow>,
  known: KnownCatalog,
  settings: PlanSettings,
): Promise<ProductPlanResult[]> {
  const planned: ProductPlanResult[] = []
  for (const rows of groups.values()) {
    planned.push(planProduct(rows, known, settings))
    if (planned.length % PLANNED_AT_ONCE === 0) await setImmediate()
  }
  return planned
}

const claimSkus = (tx: StoreTx, jobId: string, plans: ProductPlan[]): Promise<void> =>
  claimKeys(
    tx,
    jobId,
    plans.flatMap(({ slug, variants }) =>
      variants.map(({ line, variant: { sku, optionValues } }) => ({
        key: sku,
        record: slug,
        line,
        details: optionValues,
      })),
    ),
  )

function countsOf(plans: ProductPlan[], changes: ProductChange[]) {
  const variants = plans.flatMap((plan) => plan.variants)
  const changedVariants = changes.flatMap((change) => change.variants)
  const created = { products: plans.filter(isNew).length, variants: variants.filter(isNew).length }
  return {
    products_created: created.products,
    products_updated: plans.length - created.products,
    products_changed: changes.filter(({ plan }) => plan.before).length,
    variants_created: created.variants,
    variants_updated: variants.length - created.variants,
    variants_changed: changedVariants.filter(({ before }) => before).length,
  }
}

const isNew = ({ before }: { before: unknown }): boolean => before === null
