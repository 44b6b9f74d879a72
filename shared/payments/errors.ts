import { defineErrors } from '#shared/platform/errors.ts'

export const PaymentErrors = defineErrors({
  signatureInvalid: {
    code: 'payment.signature_invalid',
    status: 400,
    message:
      "The signature is not the gateway's, or is too old. Sign the body as it is sent, with the current secret.",
  },
  notMismatched: {
    code: 'payment.not_mismatched',
    status: 409,
    message: ({ status }: { status: string }) =>
      `Only a payment that is mismatched can be accepted or returned: this one is ${status}. Read the order again.`,
  },
  currencyMismatch: {
    code: 'payment.currency_mismatch',
    status: 422,
    message: ({ captured, currency }: { captured: string | null; currency: string }) =>
      `The gateway captured ${captured}, and the order is in ${currency}: return the payment.`,
  },
})
