import { defineErrors } from '#shared/platform/errors.ts'

export const ImportErrors = defineErrors({
  tooManyUnfinished: {
    code: 'import.too_many_unfinished',
    status: 409,
    message: ({ limit }: { limit: number }) =>
      `A store has at most ${limit} unfinished imports. Wait until one has ended, and send the file again.`,
  },
})
