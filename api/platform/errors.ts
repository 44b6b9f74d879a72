import { CommonErrors, defineErrors, withAdvice } from '#shared/platform/errors.ts'

/** Errors that any request can cause, whatever its operation. */
export const RequestErrors = defineErrors({
  malformed: {
    code: 'request.malformed',
    status: 400,
    message: ({ why }: { why: string }) => `The request cannot be read: ${why}.`,
  },
  notFound: withAdvice(
    CommonErrors.notFound,
    'No operation has this URL. See the list of operations at /docs.',
  ),
  methodNotAllowed: {
    code: 'request.method_not_allowed',
    status: 405,
    message: ({ allow }: { allow: string }) => `This URL does not support that method. Use one of: ${allow}.`,
  },
  tooLarge: {
    code: 'request.too_large',
    status: 413,
    message: ({ limit }: { limit: number }) =>
      `The body is larger than the ${limit} bytes that this operation accepts. Send less.`,
  },
  unsupportedMediaType: {
    code: 'request.unsupported_media_type',
    status: 415,
    message: ({ accepts }: { accepts: string }) =>
      `Send the body as ${accepts}, in UTF-8, without a content encoding.`,
  },
  internal: {
    code: 'server.internal',
    status: 500,
    message: ({ requestId }: { requestId: string }) =>
      `Something went wrong on our side. Report it with the request id ${requestId}.`,
  },
})

/** Errors of finding the request's store. */
export const StoreAccessErrors = defineErrors({
  required: {
    code: 'auth.store_required',
    status: 401,
    message:
      "The request names no store. Send the store's publishable key as X-Service-Key, or call the store's own domain.",
  },
  keyInvalid: {
    code: 'auth.publishable_key_invalid',
    status: 401,
    message:
      'This publishable key is mistyped, revoked or expired, or it is a test key in production. Use a current key: ' +
      'staff issue one by POST /admin/publishable-keys.',
  },
  keyForbidden: {
    code: 'auth.publishable_key_forbidden',
    status: 403,
    message:
      'Publishable keys are for the storefront only. Call admin operations with a staff token and without ' +
      'X-Service-Key.',
  },
  originNotAllowed: {
    code: 'auth.origin_not_allowed',
    status: 403,
    message:
      "This origin is neither on the publishable key's list nor a domain of the store. Add it to the key's allowed " +
      'origins.',
  },
})
