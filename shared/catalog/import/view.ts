import { type Static, Type } from 'typebox'
import type { ImportJob, ImportNote } from '#shared/imports/import-job.ts'
import { Count, importProperties, noteProperties, viewImport, viewNotes } from '#shared/imports/view.ts'
import { Shape } from '#shared/platform/http/schema.ts'

const Updated = Type.Integer({ minimum: 0, description: 'Existing ones that are in the file' })
const Changed = Type.Integer({ minimum: 0, description: 'Of the updated ones, those that differ' })

const jobProperties = {
  ...importProperties,
  kind: Type.Enum(['products']),
  products_created: Count,
  products_updated: Updated,
  products_changed: Changed,
  variants_created: Count,
  variants_updated: Updated,
  variants_changed: Changed,
}

export const CatalogJobView = Shape(jobProperties)

export const CatalogJobReport = Shape({ ...jobProperties, ...noteProperties })

/** A job as staff see it. */
export const viewCatalogJob = (job: ImportJob): Static<typeof CatalogJobView> => ({
  ...viewImport(job),
  kind: 'products',
  products_created: job.counts.products_created ?? 0,
  products_updated: job.counts.products_updated ?? 0,
  products_changed: job.counts.products_changed ?? 0,
  variants_created: job.counts.variants_created ?? 0,
  variants_updated: job.counts.variants_updated ?? 0,
  variants_changed: job.counts.variants_changed ?? 0,
})

/** A job with a page of its errors. */
export const viewReport = (job: ImportJob, notes: ImportNote[]): Static<typeof CatalogJobReport> => ({
  ...viewCatalogJob(job),
  errors: viewNotes(notes),
})
