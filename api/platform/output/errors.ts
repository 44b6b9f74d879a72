import { defineErrors } from '#shared/platform/errors.ts'

/** What can be wrong with any request, before or beside what its operation does. */
export const RequestErrors = defineErrors({
  malformed: {
    code: 'request.malformed',
    status: 400,
    message: ({ why }) => `The request cannot be read: ${why ?? 'it is not well formed'}.`,
  },
  notFound: {
    code: 'resource.not_found',
    status: 404,
    message: 'There is nothing at this address. The operations are listed at /docs.',
  },
  methodNotAllowed: {
    code: 'request.method_not_allowed',
    status: 405,
    message: ({ allow }) => `This address does not take that method. It takes: ${allow}.`,
  },
  tooLarge: {
    code: 'request.too_large',
    status: 413,
    message: ({ limit }) => `The body is larger than the ${limit} bytes this operation takes.`,
  },
  unsupportedMediaType: {
    code: 'request.unsupported_media_type',
    status: 415,
    message: ({ accepts }) => `Send the body as ${accepts}, in UTF-8, without a content encoding.`,
  },
  internal: {
    code: 'server.internal',
    status: 500,
    message: ({ requestId }) =>
      `Something went wrong on our side. Report it with the request id ${requestId}.`,
  },
})

export const StoreAccessErrors = defineErrors({
  required: {
    code: 'auth.store_required',
    status: 401,
    message: 'Say which store you mean: send its publishable key as X-Service-Key, or call its own domain.',
  },
  keyInvalid: {
    code: 'auth.publishable_key_invalid',
    status: 401,
    message:
      'This publishable key is mistyped, revoked or past its end, or a test key in production. Take a current one: staff issue it by POST /admin/publishable-keys.',
  },
  keyForbidden: {
    code: 'auth.publishable_key_forbidden',
    status: 403,
    message:
      'Publishable keys open the storefront only. Call admin operations with a staff token and no X-Service-Key.',
  },
  originNotAllowed: {
    code: 'auth.origin_not_allowed',
    status: 403,
    message:
      "This origin is neither on the publishable key's list nor a domain of the store. Add it to the key's allowed origins.",
  },
})

export const IdempotencyErrors = defineErrors({
  required: {
    code: 'idempotency.key_required',
    status: 400,
    message: 'Send an Idempotency-Key header with this operation, a new one for each new attempt of yours.',
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
      'The first request with this Idempotency-Key is still running. Repeat it in a moment for its answer.',
  },
})
