import { defineErrors } from '#shared/platform/errors.ts'

export const ImportErrors = defineErrors({
  empty: {
    code: 'import.empty',
    status: 422,
    message: 'The file is empty. Send the CSV file as the body of the request.',
  },
  notUtf8: {
    code: 'import.not_utf8',
    status: 422,
    message: 'The file is not text in UTF-8. Save it as "CSV UTF-8" and send it again.',
  },
})

/** A file that cannot be parsed further. The job fails with this message, which names the line and the reason. */
export class UnreadableFile extends Error {}
