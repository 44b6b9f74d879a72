import { defineErrors } from '#shared/platform/errors.ts'

export const WebhookErrors = defineErrors({
  urlHttpsRequired: {
    code: 'webhooks.url_https_required',
    status: 422,
    message: 'A webhook URL must start with https://.',
  },
  urlNotPublic: {
    code: 'webhooks.url_not_public',
    status: 422,
    message: 'A webhook URL must have a public host, not a private, local or reserved address.',
  },
  urlInvalid: {
    code: 'webhooks.url_invalid',
    status: 422,
    message:
      'This webhook URL is invalid. Use https://host/path, on port 443 or 8443, without a user name or password.',
  },
  limitReached: {
    code: 'webhooks.limit_reached',
    status: 409,
    message: ({ limit }: { limit: number }) =>
      `A store can have ${limit} webhooks at most. Delete one first.`,
  },
  disabled: {
    code: 'webhooks.disabled',
    status: 409,
    message: 'This webhook is disabled. Enable it, then redeliver.',
  },
  notSubscribed: {
    code: 'webhooks.not_subscribed',
    status: 409,
    message: 'The `events` of this webhook do not cover this event type. Add it to them, then redeliver.',
  },
})
