import { defineErrors } from '#shared/platform/errors.ts'

/** Errors of the Idempotency-Key header. */
export const IdempotencyErrors = defineErrors({
  required: {
    code: 'idempotency.key_required',
    status: 400,
    message:
      'Send an Idempotency-Key header with this operation: a new key for each new request, the same key for a repeat.',
  },
  malformed: {
    code: 'idempotency.key_malformed',
    status: 400,
    message: 'An Idempotency-Key has 1 to 255 visible ASCII characters.',
  },
  reused: {
    code: 'idempotency.key_reused',
    status: 422,
    message: 'This Idempotency-Key was used for another request. Use a new key for a new request.',
  },
  inProgress: {
    code: 'idempotency.in_progress',
    status: 409,
    message:
      'The first request with this Idempotency-Key is still running. Repeat the request in a few seconds to get its ' +
      'response.',
  },
})
