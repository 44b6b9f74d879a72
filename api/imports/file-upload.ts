import { RequestErrors } from '#api/platform/errors.ts'
import { ImportErrors } from '#shared/imports/errors.ts'
import { ImportFileErrors } from '#shared/imports/file/errors.ts'

/** The largest file of an import, in bytes. */
export const IMPORT_LIMIT = 50 * 1024 * 1024

/** The common part of all endpoints that receive a file. */
export const FILE_UPLOAD = {
  accepts: 'text/csv',
  bodyLimit: IMPORT_LIMIT,
  transaction: 'manual',
  // The key's fingerprint would need the whole file. A repeated import changes nothing, so no key is needed.
  idempotency: 'none',
} as const

export const FILE_ERRORS = [
  RequestErrors.tooLarge,
  RequestErrors.unsupportedMediaType,
  RequestErrors.malformed,
  ImportErrors.tooManyUnfinished,
  ImportFileErrors.empty,
  ImportFileErrors.notUtf8,
  ImportFileErrors.notCsv,
  ImportFileErrors.unknownHeader,
  ImportFileErrors.unreadableHeader,
  ImportFileErrors.tooManyColumns,
  ImportFileErrors.unknownColumn,
]
