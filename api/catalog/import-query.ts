import { type Static, Type } from 'typebox'
import { invalidQuery } from '#api/platform/input/request-part.ts'
import type { ImportOptions } from '#shared/catalog/import/catalog-job.ts'
import { Shape } from '#shared/platform/http/schema.ts'

/** How a file is read, whatever it is about. */
export const fileQuery = {
  dry_run: Type.Boolean({ default: false, description: 'Check the file without importing it' }),
  columns: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description:
        'For a file that is in none of the formats: a JSON object of its columns, each with a column of the own format: ' +
        '`{"Preis":"price"}`',
    }),
  ),
}

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

/** The columns that a request names. Throws 422 for anything but a JSON object of texts. */
export function toMapping(columns: string | undefined): Record<string, string> | null {
  if (columns === undefined) return null
  const mapping = parse(columns)
  const isMapping =
    typeof mapping === 'object' &&
    mapping !== null &&
    !Array.isArray(mapping) &&
    Object.values(mapping).every((column) => typeof column === 'string')
  if (!isMapping) throw invalidQuery('columns', 'Write a JSON object like {"Preis":"price"}', columns)
  return mapping as Record<string, string>
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
