import { defineErrors } from '#shared/platform/errors.ts'

export const DisputeErrors = defineErrors({
  orderDisputed: {
    code: 'order.disputed',
    status: 409,
    message: ({ reason }: { reason: string | null }) =>
      `The buyer disputes the payment at the bank${reason ? ` (${reason})` : ''}. Ship, replace or credit the goods, ` +
      'or pay the buyer by other means, when the dispute is closed.',
  },
})
