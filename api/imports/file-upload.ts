import { RequestErrors } from '#api/platform/errors.ts'
import { ImportErrors } from '#shared/imports/errors.ts'
import { ImportFileErrors } from '#shared/imports/file/errors.ts'

/** The largest file of an import, in bytes. */
export const MAX_IMPORT_BYTES = 50 * 1024 * 1024

/** The common part of all endpoints that receive a file. */
export const FILE_UPLOAD = {
  accepts: 'text/csv',
  bodyLimit: MAX_IMPORT_BYTES,
  transaction: 'manual',
  // An idempotency key would need a hash of the whole file. No key is needed, because a repeated import changes
  // nothing.
  idempotency: 'none',
} as const

export const FILE_ERRORS = [
  RequestErrors.tooLarge,
  RequestErrors.unsupportedMediaType,
  RequestErrors.malformed,
  ImportErrors.limitReached,
  ImportFileErrors.empty,
  ImportFileErrors.notUtf8,
  ImportFileErrors.notCsv,
  ImportFileErrors.unknownHeader,
  ImportFileErrors.unreadableHeader,
  ImportFileErrors.tooManyColumns,
  ImportFileErrors.unknownColumn,
]
