import { defineErrors } from '../platform/errors.ts'

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
