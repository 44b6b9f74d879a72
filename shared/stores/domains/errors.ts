import { defineErrors } from '#shared/platform/errors.ts'

export const DomainErrors = defineErrors({
  alreadyAdded: {
    code: 'domain.already_added',
    status: 409,
    message: 'The store already has this domain. Verify the existing entry.',
  },
  taken: {
    code: 'domain.taken',
    status: 409,
    message: 'Another store has verified this domain. Remove it from that store first.',
  },
})
