import { defineErrors } from '#shared/platform/errors.ts'

export const OrderHistoryErrors = defineErrors({
  noteLimitReached: {
    code: 'order.note_limit_reached',
    status: 409,
    message: ({ limit }: { limit: number }) =>
      `An order has at most ${limit} notes. Keep longer records elsewhere.`,
  },
})
