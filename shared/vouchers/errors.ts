import { defineErrors } from '../platform/errors.ts'

export const VoucherErrors = defineErrors({
  codeTaken: {
    code: 'voucher.code_taken',
    status: 409,
    message: 'Another voucher of this store has this code. Choose another, or leave it out to have one made.',
  },
})
