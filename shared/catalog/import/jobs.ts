import { defineImport } from '#shared/imports/jobs.ts'

/** Imports products of a file. */
export const importProducts = defineImport('import-products')
