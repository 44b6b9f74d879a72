import { readPublicUrl } from '#shared/platform/net/public-url.ts'
import { WebhookErrors } from './errors.ts'

const FAULTS = {
  invalid: WebhookErrors.urlInvalid,
  https_required: WebhookErrors.urlHttpsRequired,
  not_public: WebhookErrors.urlNotPublic,
}

/**
 * Reads a webhook URL and refuses what must not be called (interface document, section 6): 422 `webhooks.url_invalid`,
 * `webhooks.url_https_required`, `webhooks.url_not_public`. `allowLocal` (development) lets loopback hosts pass.
 */
export function checkWebhookUrl(text: string, options: { allowLocal: boolean }): URL {
  const url = readPublicUrl(text, options)
  if (typeof url === 'string') throw FAULTS[url]()
  return url
}
