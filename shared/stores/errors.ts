import { defineErrors } from '#shared/platform/errors.ts'
import { describeOpenBusiness, type StoreBusiness } from './store-business.ts'

export const StoreErrors = defineErrors({
  slugTaken: {
    code: 'store.slug_taken',
    status: 409,
    message: 'Another store has this slug. Choose another.',
  },
  invalidTransition: {
    code: 'store.invalid_transition',
    status: 409,
    message: ({ from, to }: { from: string; to: string }) =>
      `A store cannot change from ${from} to ${to}. Read its status first.`,
  },
  notActive: {
    code: 'store.not_active',
    status: 409,
    message: 'Nobody can sign in to a suspended or deleted store. Restore it first.',
  },
  notPurgeable: {
    code: 'store.not_purgeable',
    status: 409,
    message: ({ reason }: { reason?: 'unsettled_money' }) =>
      reason === 'unsettled_money'
        ? 'A payment or refund of this store is not settled. Wait for the gateway, or restore the store and let its ' +
          'staff return the money by other means.'
        : 'A store can be purged 30 days after its deletion, or earlier with its slug as `force`. Delete an open ' +
          'store first.',
  },
  hasOpenBusiness: {
    code: 'store.has_open_business',
    status: 409,
    message: ({ open }: { open: StoreBusiness }) =>
      `People would lose money with this store: ${describeOpenBusiness(open)}. Restore the store and let its staff ` +
      'ship or refund the orders and settle the rest, then delete it again. If all of it was settled by other means, ' +
      'send `override`.',
  },
  underPurge: {
    code: 'store.under_purge',
    status: 409,
    message: 'This store is being purged and cannot be restored. Wait until the purge ends.',
  },
})
