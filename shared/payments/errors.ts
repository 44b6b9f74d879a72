import { defineErrors } from '#shared/platform/errors.ts'

export const PaymentErrors = defineErrors({
  signatureInvalid: {
    code: 'payment.signature_invalid',
    status: 400,
    message:
      'The signature is not from the gateway, or is too old. Sign the body as it is sent, with the current secret.',
  },
})
