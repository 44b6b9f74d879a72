import { defineErrors } from '#shared/platform/errors.ts'

/** Entries of one customer's address book. */
export const MOST_ADDRESSES = 100

export const AddressErrors = defineErrors({
  tooMany: {
    code: 'address.too_many',
    status: 422,
    message: `An address book takes at most ${MOST_ADDRESSES} addresses. Delete one that is not needed any more.`,
  },
})
