import { defineErrors } from '#shared/platform/errors.ts'

export const OrderHistoryErrors = defineErrors({
  tooManyNotes: {
    code: 'order.too_many_notes',
    status: 409,
    message: ({ limit }: { limit: number }) =>
      `An order has at most ${limit} notes. Keep longer records elsewhere.`,
  },
})
