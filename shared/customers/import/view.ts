import { type Static, Type } from 'typebox'
import type { ImportJob, ImportNote } from '#shared/imports/import-job.ts'
import { Count, importProperties, noteProperties, viewImport, viewNotes } from '#shared/imports/view.ts'
import { Shape } from '#shared/platform/http/schema.ts'

const properties = {
  ...importProperties,
  customers_created: Count,
  customers_updated: Type.Integer({ minimum: 0, description: 'Existing ones that are in the file' }),
  customers_changed: Type.Integer({
    minimum: 0,
    description: 'Of the updated ones, those that differ or get an address',
  }),
  customers_failed: Type.Integer({ minimum: 0, description: 'Rows with an error' }),
}

export const CustomerImportView = Shape(properties)

export const CustomerImportReport = Shape({ ...properties, ...noteProperties })

/** An import of customers as staff see it. */
export const viewCustomerImport = (job: ImportJob): Static<typeof CustomerImportView> => ({
  ...viewImport(job),
  customers_created: job.counts.customers_created ?? 0,
  customers_updated: job.counts.customers_updated ?? 0,
  customers_changed: job.counts.customers_changed ?? 0,
  customers_failed: job.counts.customers_failed ?? 0,
})

/** An import with a page of its errors. */
export const viewCustomerReport = (
  job: ImportJob,
  notes: ImportNote[],
): Static<typeof CustomerImportReport> => ({ ...viewCustomerImport(job), errors: viewNotes(notes) })
