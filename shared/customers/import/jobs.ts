import { defineImport } from '#shared/imports/jobs.ts'

/** Imports customers of a file. */
export const importCustomers = defineImport('import-customers')
