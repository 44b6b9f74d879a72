import { defineErrors } from '#shared/platform/errors.ts'

export const KeyErrors = defineErrors({
  limitReached: {
    code: 'publishable_key.limit_reached',
    status: 409,
    message: ({ limit }: { limit: number }) =>
      `A store can have ${limit} keys in use at most; a rotated key is in use until its overlap ends. Revoke one ` +
      'first.',
  },
  notActive: {
    code: 'publishable_key.not_active',
    status: 409,
    message: ({ status }: { status: string }) =>
      `This key is ${status} and can no longer be changed. Use its successor, or issue another key.`,
  },
})
