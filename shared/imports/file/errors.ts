import { defineErrors } from '#shared/platform/errors.ts'

/** The errors of a file whose first bytes show that it cannot be imported. */
export const ImportFileErrors = defineErrors({
  empty: {
    code: 'import.empty',
    status: 422,
    message: 'The file is empty. Send the CSV file as the body of the request.',
  },
  notUtf8: {
    code: 'import.not_utf8',
    status: 422,
    message: 'The file mixes UTF-8 with another encoding. Save it as "CSV UTF-8" and send it again.',
  },
  notCsv: {
    code: 'import.not_csv',
    status: 422,
    message: ({ kind }: { kind: FileKind }) => `The file is ${kind}, not CSV. ${ADVICE[kind] ?? SAVE_AS}`,
  },
  unknownHeader: {
    code: 'import.unknown_header',
    status: 422,
    message: ({ nearest, missing, first }: { nearest: string; missing: string; first?: string }) => {
      if (nearest === 'none')
        return (
          `The first line names no known column: it begins with "${first}". It needs the columns ${missing}. ` +
          'For the file of another shop system, map its columns with `columns`.'
        )
      if (nearest === 'mapping') return `The parameter \`columns\` maps no column to ${missing}. Add one.`
      return (
        `The first line is nearest to ${nearest}, which also needs: ${missing}. Add these columns, or map ` +
        'others to them with `columns`.'
      )
    },
  },
  unreadableHeader: {
    code: 'import.unreadable_header',
    status: 422,
    message: ({ line }: { line: number }) =>
      `The first row, on line ${line}, starts a quoted text that does not end. Close the quote, and send the file ` +
      'again.',
  },
  tooManyColumns: {
    code: 'import.too_many_columns',
    status: 422,
    message: ({ most }: { most: number }) =>
      `The first row has more than ${most} columns. Remove those that are not imported, and send the file again.`,
  },
  unknownColumn: {
    code: 'import.unknown_column',
    status: 422,
    message: ({ column, of }: { column: string; of: 'file' | 'own format' }) =>
      `The parameter \`columns\` names "${column}", which is no column of the ${of}. Correct the name.`,
  },
})

const UNPACK = 'Unpack it, and send the CSV file in it.'
const SAVE_AS = 'Open it, save it as "CSV UTF-8", and send that file.'

/** The advice for files that are often sent instead of CSV. */
const ADVICE = {
  'an Excel workbook': SAVE_AS,
  'an OpenDocument spreadsheet': SAVE_AS,
  'a ZIP archive': UNPACK,
  'compressed with gzip': UNPACK,
  'a PDF document': 'Export the data as CSV.',
  'a web page': 'It may be the error page of a failed download. Export the file again.',
  'a JSON file': 'Export the data as CSV.',
}
export type FileKind = keyof typeof ADVICE

/**
 * Thrown where a file can no longer be parsed. The job fails with this message, which names the line and the reason.
 */
export class UnreadableFile extends Error {}
