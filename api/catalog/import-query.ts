import { type Static, Type } from 'typebox'
import { fileQuery, toMapping } from '#api/imports/file-query.ts'
import type { ImportOptions } from '#shared/imports/import-job.ts'
import { Shape } from '#shared/platform/http/schema.ts'

export const ImportQuery = Shape({
  ...fileQuery,
  decimal_comma: Type.Boolean({ default: false, description: 'Numbers are written like 1.299,50' }),
  duplicate_skus: Type.Enum(['refuse', 'rename'], {
    default: 'refuse',
    description:
      'Of variants with one SKU, which Shopify allows, the later ones are refused, or get a SKU that is made of their ' +
      "product's slug and their options",
  }),
})

/** The options of an import in a request. Throws 422 for `columns` that is no object of texts. */
export const toImportOptions = (query: Static<typeof ImportQuery>): ImportOptions => ({
  decimalComma: query.decimal_comma,
  renamesDuplicates: query.duplicate_skus === 'rename',
  mapping: toMapping(query.columns),
})
