import { Agent, type Dispatcher } from 'undici'
import { publicLookup, type ResolveName } from '#shared/platform/net/resolve-host.ts'
import { checkWebhookUrl } from '#shared/webhooks/check-url.ts'
import { WebhookErrors } from '#shared/webhooks/errors.ts'
import { readExcerpt } from './read-excerpt.ts'

export interface WebhookResponse {
  statusCode: number
  /** The start of the body, safe to store and to show. */
  excerpt: string
  retryAfter: string | undefined
}

/**
 * Posts to URLs that stores configured. Checks the URL and every address that its host resolves to, connects to one of
 * them, and follows no redirect. Throws when there is no response.
 */
export interface WebhookGateway {
  post(
    url: string,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<WebhookResponse>
  close(): Promise<void>
}

interface Options {
  /** In development: loopback hosts, also over plain http. */
  allowLocal: boolean
  resolve?: ResolveName
  timeoutMs?: number
}

// From DNS to the end of the body.
const TIMEOUT_MS = 15_000

export function createWebhookGateway(options: Options): WebhookGateway {
  const { allowLocal, resolve, timeoutMs = TIMEOUT_MS } = options
  const lookup = publicLookup({ allowLocal, resolve, refusal: WebhookErrors.urlNotPublic })
  const agent = new Agent({
    // No limit of connections to a host: many stores may use the same one, and none should wait for another.
    connections: null,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    connect: { lookup, timeout: timeoutMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16 * 1024,
  })
  return {
    async post(text, headers, body, signal) {
      // An IP address is never resolved, so only this line checks it.
      const url = checkWebhookUrl(text, { allowLocal })
      const response = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Commerce-Webhooks/1' },
        body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      })
      return {
        statusCode: response.statusCode,
        excerpt: await readExcerpt(response.body),
        retryAfter: headerOf(response, 'retry-after'),
      }
    },
    close: () => agent.close(),
  }
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}
