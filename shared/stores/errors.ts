import { defineErrors } from '#shared/platform/errors.ts'

export const KeyErrors = defineErrors({
  notActive: {
    code: 'publishable_key.not_active',
    status: 409,
    message: ({ status }) =>
      `This key is ${status ?? 'not active'}, so it can no longer be changed. Use its successor, or issue another.`,
  },
})

export const DomainErrors = defineErrors({
  alreadyAdded: {
    code: 'domain.already_added',
    status: 409,
    message: 'This domain is already on the list of your store. Verify the entry that is there.',
  },
  taken: {
    code: 'domain.taken',
    status: 409,
    message: 'Another store has proved this domain to be its own. It must give it up there first.',
  },
})

export const StoreErrors = defineErrors({
  slugTaken: {
    code: 'store.slug_taken',
    status: 409,
    message: 'There is already a store with this slug. Choose another.',
  },
  invalidTransition: {
    code: 'store.invalid_transition',
    status: 409,
    message: ({ from, to }) => `A store that is ${from} cannot become ${to}. Read its present status first.`,
  },
  notActive: {
    code: 'store.not_active',
    status: 409,
    message: 'This store is suspended or deleted, so nobody can sign in to it. Restore it first.',
  },
  notPurgeable: {
    code: 'store.not_purgeable',
    status: 409,
    message:
      'A store is purged 30 days after its deletion, or sooner with its slug repeated as `force`. One that is open must be deleted first.',
  },
  underPurge: {
    code: 'store.under_purge',
    status: 409,
    message: 'This store is being purged, so it cannot come back. Wait until it is gone.',
  },
})
