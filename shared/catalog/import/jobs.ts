import { defineImport } from '#shared/imports/jobs.ts'

/** Imports the products from a file. */
export const importProducts = defineImport('import-products')
