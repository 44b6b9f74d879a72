import { Agent, type Dispatcher } from 'undici'
import type { ResolveName } from '#shared/platform/net/resolve-host.ts'
import { publicLookup } from '#shared/platform/net/resolve-host.ts'
import { checkWebhookUrl } from '#shared/webhooks/check-url.ts'
import { WebhookErrors } from '#shared/webhooks/errors.ts'
import { readExcerpt } from './read-excerpt.ts'

export interface WebhookResponse {
  statusCode: number
  /** The start of the body, safe to keep and to show. */
  excerpt: string
  retryAfter: string | undefined
}

/**
 * Posts to addresses that strangers chose. The URL is checked, every address its host resolves to is checked, and the
 * connection goes to one of those; no redirect is followed. Throws when there is no answer.
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
  /** Development: loopback hosts, over plain http too. */
  allowLocal: boolean
  resolve?: ResolveName
  timeoutMs?: number
}

// For all of it: resolving, connecting, headers and body.
const TIMEOUT_MS = 15_000

export function createWebhookGateway(options: Options): WebhookGateway {
  const { allowLocal, resolve, timeoutMs = TIMEOUT_MS } = options
  const lookup = publicLookup({ allowLocal, resolve, refusal: WebhookErrors.urlNotPublic })
  const agent = new Agent({
    // As many connections a host as there are jobs: many stores may send to one, and none shall wait for another.
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
      // Addresses in numbers are never looked up, so they are judged here alone.
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
