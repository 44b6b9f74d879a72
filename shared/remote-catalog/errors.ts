import { defineErrors } from '#shared/platform/errors.ts'

export const RemoteErrors = defineErrors({
  notConfigured: {
    code: 'remote.not_configured',
    status: 409,
    message:
      'The store is not connected to an external system. Save its base URL and API key in the settings.',
  },
  rateLimited: {
    code: 'remote.rate_limited',
    status: 429,
    message: 'The rate limit of the external system is reached. Try again after the seconds in Retry-After.',
  },
  unavailable: {
    code: 'remote.unavailable',
    status: 502,
    message: ({ why }: { why: string }) =>
      `The external system cannot be read: ${why}. Try again, or check the connection in the settings.`,
  },
  urlInvalid: {
    code: 'remote.url_invalid',
    status: 422,
    message:
      'This base URL is invalid. Use https://host/path, on port 443 or 8443, without user name, query or fragment.',
  },
  urlHttpsRequired: {
    code: 'remote.url_https_required',
    status: 422,
    message: 'The base URL of an external system must start with https://.',
  },
  urlNotPublic: {
    code: 'remote.url_not_public',
    status: 422,
    message: 'An external system must have a public host, not a private, local or reserved address.',
  },
  apiKeyRequired: {
    code: 'remote.api_key_required',
    status: 422,
    message: 'Send the API key: none is saved, or the saved one belongs to another host.',
  },
  itemNotFound: {
    code: 'remote.item_not_found',
    status: 404,
    message: 'The external system has no such item. Search its catalog again.',
  },
  itemLinked: {
    code: 'remote.item_linked',
    status: 409,
    message: ({ productId }: { productId: string }) =>
      `This item is already linked to the product ${productId}. Remove that link first.`,
  },
  productLinked: {
    code: 'remote.product_linked',
    status: 409,
    message: ({ itemId = '<item_id>' }: { itemId?: string | undefined }) =>
      `This product is already linked to the item ${itemId}. Remove that link first.`,
  },
  itemNotImportable: {
    code: 'remote.item_not_importable',
    status: 422,
    message: ({ why }: { why: string }) =>
      `This item cannot be imported: ${why}. Correct it in the external system, or create the product by hand and ` +
      'link it.',
  },
})
