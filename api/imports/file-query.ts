import { type Static, type TObject, Type } from 'typebox'
import { invalidQuery } from '#api/platform/input/request-part.ts'
import { rejectUnstorable } from '#api/platform/input/text.ts'
import type { ColumnMapping } from '#shared/imports/file/header.ts'

/** The settings for reading a file of any kind. */
export const fileQuery = {
  dry_run: Type.Boolean({ default: false, description: 'Check the file without importing it' }),
  columns: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description:
        'For a file that is in none of the formats: a JSON object of its columns, each with a column of the own ' +
        'format: `{"Preis":"price"}`',
    }),
  ),
}

/** The parameters of every file, after validation. */
export type FileQuery = Static<TObject<typeof fileQuery>>

/**
 * Returns the requested mapping of columns. Throws 422 for anything but a JSON object of texts, and 400 for texts that
 * cannot be stored.
 */
export function toMapping(columns: string | undefined): ColumnMapping | null {
  if (columns === undefined) return null
  const mapping = parse(columns)
  const isMapping =
    typeof mapping === 'object' &&
    mapping !== null &&
    !Array.isArray(mapping) &&
    Object.values(mapping).every((column) => typeof column === 'string')
  if (!isMapping) throw invalidQuery('columns', 'Write a JSON object like {"Preis":"price"}', columns)
  // The escapes of JSON hide them from the check of the whole query.
  for (const text of Object.entries(mapping).flat()) rejectUnstorable(text, 'the parameter columns')
  return mapping as ColumnMapping
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
