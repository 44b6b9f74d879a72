import { defineErrors } from '#shared/platform/errors.ts'

export const RemoteErrors = defineErrors({
  notConfigured: {
    code: 'remote.not_configured',
    status: 409,
    message: 'The store is connected to no external system. Save its address and API key in the settings.',
  },
  rateLimited: {
    code: 'remote.rate_limited',
    status: 429,
    message:
      'The external system may not be asked any sooner. Wait for the seconds that Retry-After names, then try again.',
  },
  unavailable: {
    code: 'remote.unavailable',
    status: 502,
    message: ({ why = 'it does not answer as it should' }) =>
      `The external system cannot be read: ${why}. Try again, or check the connection in the settings.`,
  },
  urlInvalid: {
    code: 'remote.url_invalid',
    status: 422,
    message:
      'This is no base URL. Use https://host/path, on port 443 or 8443, without user name, query or fragment.',
  },
  urlHttpsRequired: {
    code: 'remote.url_https_required',
    status: 422,
    message: 'The base URL of an external system begins with https://.',
  },
  urlNotPublic: {
    code: 'remote.url_not_public',
    status: 422,
    message:
      'An external system has a public host: no private, local or reserved address, by name or by number.',
  },
  apiKeyRequired: {
    code: 'remote.api_key_required',
    status: 422,
    message:
      'Send the API key too: there is none yet, or the one there is was given for another host and is not sent to this one.',
  },
  itemNotFound: {
    code: 'remote.item_not_found',
    status: 404,
    message: 'The external system has no such item. Look it up in its catalog again.',
  },
  itemLinked: {
    code: 'remote.item_linked',
    status: 409,
    message: ({ productId = '<product_id>' }) =>
      `This item is linked to the product ${productId} already. Remove that link first.`,
  },
  productLinked: {
    code: 'remote.product_linked',
    status: 409,
    message: ({ itemId = '<item_id>' }) =>
      `This product is linked to the item ${itemId} already. Remove that link first.`,
  },
  itemNotImportable: {
    code: 'remote.item_not_importable',
    status: 422,
    message: ({ why = 'it lacks a price' }) =>
      `No product can be made of this item: ${why}. Mend it in the external system, or create the product by hand and link it.`,
  },
})
