import { divideBySize } from '#shared/catalog/import/plan/divide-by-size.ts'
import type { KnownCatalog } from '#shared/catalog/import/plan/known-catalog.ts'
import { loadKnownCatalog } from '#shared/catalog/import/plan/load-known-catalog.ts'
import {
  type PlanSettings,
  type ProductPlan,
  type ProductPlanResult,
  planProduct,
} from '#shared/catalog/import/plan/plan-product.ts'
import type { ImportRow } from '#shared/catalog/import/rows/read-product-row.ts'
import { assignTerms } from '#shared/catalog/import/save/assign-terms.ts'
import { changesOf, type ProductChange, saveChanges } from '#shared/catalog/import/save/save-changes.ts'
import { claimKeys } from '#shared/imports/claimed-keys.ts'
import type { Batch } from '#shared/imports/file/read-batches.ts'
import type { RowNote } from '#shared/imports/file/row-note.ts'
import { type ImportJob, lockImport } from '#shared/imports/import-job.ts'
import { recordImportProgress } from '#shared/imports/record-import-progress.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { pauseInTurns } from '#shared/platform/time/pause-in-turns.ts'

/**
 * Imports a batch of the file: saves the valid products, and records faults and progress. Returns false without a
 * change if another worker has already imported this batch.
 */
export async function importProductBatch(
  tx: StoreTx,
  jobId: string,
  batch: Batch<ImportRow>,
  settings: PlanSettings,
): Promise<boolean> {
  const job = await lockImport(tx, jobId, batch)
  if (!job) return false

  const saved: SavedPart[] = []
  for (const part of await divideBySize(tx, batch.groups))
    saved.push(await importPart(tx, job, part, settings))
  const notes = [...batch.faults, ...saved.flatMap((part) => part.notes)]
  await recordImportProgress(tx, job, batch, { counts: addCounts(saved.map(({ counts }) => counts)), notes })
  return true
}

interface SavedPart {
  counts: ReturnType<typeof countsOf>
  notes: RowNote[]
}

async function importPart(
  tx: StoreTx,
  job: ImportJob,
  groups: Map<string, ImportRow[]>,
  settings: PlanSettings,
): Promise<SavedPart> {
  const known = await loadKnownCatalog(tx, job, groups)
  const planned = await planProducts(groups, known, settings)
  const plans = planned.flatMap(({ plan }) => plan ?? [])

  const { currency, language } = settings
  const changes = changesOf(await assignTerms(tx, plans, { language, dryRun: job.dryRun }))
  if (!job.dryRun) await saveChanges(tx, changes, { jobId: job.id, currency, language })
  await claimSkus(tx, job.id, plans)
  return { counts: countsOf(plans, changes), notes: planned.flatMap(({ notes }) => notes) }
}

const addCounts = (parts: Record<string, number>[]): Record<string, number> => {
  const total: Record<string, number> = {}
  for (const part of parts)
    for (const [name, count] of Object.entries(part)) total[name] = (total[name] ?? 0) + count
  return total
}

async function planProducts(
  groups: Map<string, ImportRow[]>,
  known: KnownCatalog,
  settings: PlanSettings,
): Promise<ProductPlanResult[]> {
  const at = now()
  const planned: ProductPlanResult[] = []
  // Planning delays the other jobs of this process.
  const pause = pauseInTurns()
  for (const rows of groups.values()) {
    const result = planProduct(rows, known, { ...settings, at })
    planned.push(result)
    const { plan, matchedId } = result
    if (matchedId) known.matchedIds.add(matchedId)
    if (plan)
      for (const { line, variant } of plan.variants)
        known.claimedSkus.set(variant.sku, { slug: plan.slug, line })
    await pause()
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
