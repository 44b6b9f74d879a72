import { defineErrors } from '#shared/platform/errors.ts'

export const SubscriptionErrors = defineErrors({
  invalidTransition: {
    code: 'subscription.invalid_transition',
    status: 409,
    message: ({ from, to }: { from: string; to: string }) =>
      `A subscription that is ${from} cannot become ${to}. Read it to see its status.`,
  },
  chargeInProgress: {
    code: 'subscription.charge_in_progress',
    status: 409,
    message: 'A charge of this subscription is being made at this moment. Try again in some seconds.',
  },
  notChangeable: {
    code: 'subscription.not_changeable',
    status: 409,
    message: ({ rule, status }: { rule?: string; status: string }) =>
      `${rule ?? 'A subscription can be changed until it ends'}. The subscription is ${status}.`,
  },
  noticeRequired: {
    code: 'subscription.notice_required',
    status: 409,
    message: ({ days, chargeAt, from }: { days: number; chargeAt: string; from: string }) =>
      `The customer would pay more than expected, and must be notified ${days} days before. The next date of the ` +
      `subscription is ${chargeAt}; staff can make this change now only if it is ${from} or later. Ask the customer ` +
      'to make the change, or skip deliveries until then where they can be skipped.',
  },
  pricesFixed: {
    code: 'subscription.prices_fixed',
    status: 409,
    message:
      'Subscriptions are running at prices that were entered with this setting. With another one their customers ' +
      'would pay other amounts. Change it when these subscriptions have ended.',
  },
  noCard: {
    code: 'subscription.no_card',
    status: 409,
    message: ({ method }: { method: string }) =>
      `This subscription is paid by ${method} and has no card. To pay by card, cancel it and order again.`,
  },
})
