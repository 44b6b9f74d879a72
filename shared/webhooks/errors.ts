import { defineErrors } from '#shared/platform/errors.ts'

export const WebhookErrors = defineErrors({
  urlHttpsRequired: {
    code: 'webhooks.url_https_required',
    status: 422,
    message: 'A webhook URL begins with https://.',
  },
  urlNotPublic: {
    code: 'webhooks.url_not_public',
    status: 422,
    message:
      'A webhook URL points to a public host: no private, local or reserved address, by name or by number.',
  },
  urlInvalid: {
    code: 'webhooks.url_invalid',
    status: 422,
    message:
      'This is no webhook URL. Use https://host/path, on port 443 or 8443, without a user name or password.',
  },
  tooMany: {
    code: 'webhooks.limit_reached',
    status: 409,
    message: ({ limit }) => `A store has at most ${limit} webhooks. Delete one that is not needed any more.`,
  },
  disabled: {
    code: 'webhooks.disabled',
    status: 409,
    message: 'The webhook of this delivery is switched off. Switch it on, then redeliver.',
  },
})
