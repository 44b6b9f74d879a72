import { defineErrors } from '#shared/platform/errors.ts'

export const ImportErrors = defineErrors({
  limitReached: {
    code: 'import.limit_reached',
    status: 409,
    message: ({ limit }: { limit: number }) =>
      `A store has at most ${limit} unfinished imports. Wait until one has ended, and send the file again.`,
  },
})
