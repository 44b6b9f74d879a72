import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import Stripe from 'stripe'
import { type ResponseBounds, readResponse } from '#shared/platform/http/read-response.ts'
import { toShortText } from './stripe-values.ts'

// A hundred events of the largest kind have a fifth of these bytes, 2,000 values each and 50 names of metadata. Five
// million empty objects would exceed the memory of the process, and a million fields block it for eight seconds.
const LIST_BOUNDS = { bytes: 16 * 1024 * 1024, levels: 32, values: 200_000, names: 10_000 }
// The largest object is a dispute with 150,000 characters of evidence. 16 MiB would take up to 100 ms to parse.
const OBJECT_BOUNDS = { ...LIST_BOUNDS, bytes: 2 * 1024 * 1024 }

const AGENTS = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) }
// The ciphers of the library's own client.
const CIPHERS = 'DEFAULT:!aNULL:!eNULL:!LOW:!EXPORT:!SSLv2:!MD5'

type Call = Parameters<Stripe.HttpClient['makeRequest']>

/**
 * An HTTP client for the library that limits the time of a whole call, and the size of its response. The library's own
 * client does neither: its time-out starts again with each byte. A slow gateway would hold each job until the job
 * expires, and its connection for longer, and an endless response or one of many values would fill the memory.
 */
export class StripeHttpClient extends Stripe.HttpClient {
  override getClientName = (): string => 'node'

  override makeRequest(...call: Call): Promise<StripeHttpResponse> {
    const [host, port, path, method, headers, body, protocol, timeoutMs] = call
    const isPlain = protocol === 'http'
    return new Promise((resolve, reject) => {
      const options = { host, port, path, method, headers: headers as http.OutgoingHttpHeaders }
      const request = isPlain
        ? http.request({ ...options, agent: AGENTS.http })
        : https.request({ ...options, agent: AGENTS.https, ciphers: CIPHERS })
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        request.destroy(Stripe.HttpClient.makeTimeoutError())
      }, timeoutMs)
      request.once('close', () => {
        clearTimeout(timer)
        // Node closes a connection that switches protocols (101) without an error.
        reject(new Error('The gateway closed the connection without a response'))
      })
      request.once('response', (response) =>
        resolve(new StripeHttpResponse(response, boundsOf(path), () => isLate)),
      )
      request.on('error', reject)
      request.end(body)
    })
  }
}

// Only requests of lists have a `limit`.
const boundsOf = (path: string): ResponseBounds => (/[?&]limit=/.test(path) ? LIST_BOUNDS : OBJECT_BOUNDS)

const isObject = (value: unknown): value is Record<string, unknown> =>
  value instanceof Object && !Array.isArray(value)

/** Returns an error of the gateway with short texts, because logs and payments keep its reason and message. */
const shortened = (error: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(error).map(([name, value]) => [
      name,
      typeof value === 'string' ? toShortText(value) : value,
    ]),
  )

class StripeHttpResponse extends Stripe.HttpClientResponse {
  readonly #response: IncomingMessage
  readonly #bounds: ResponseBounds
  readonly #isLate: () => boolean

  constructor(response: IncomingMessage, bounds: ResponseBounds, isLate: () => boolean) {
    super(response.statusCode ?? 0, response.headers as Record<string, string>)
    this.#response = response
    this.#bounds = bounds
    this.#isLate = isLate
  }

  override getRawResponse = (): IncomingMessage => this.#response

  /**
   * Returns the parsed response. Throws for a response that the library would misread: it takes any object without
   * `error` for a success, whatever its status, and for a JSON text or number it throws outside its promise, which ends
   * the process. A proxy before the gateway may send either.
   */
  override async toJSON(): Promise<unknown> {
    const parsed: unknown = this._parseResponseBody(await this.#read())
    const status = this.getStatusCode()
    if (!isObject(parsed)) throw new Error(`A response of status ${status} is no object`)
    if (isObject(parsed.error)) return { ...parsed, error: shortened(parsed.error) }
    if (status < 200 || status >= 300 || 'error' in parsed)
      throw new Error(`A response of status ${status} is neither a result nor an error`)
    return parsed
  }

  async #read(): Promise<string> {
    try {
      const bytes = await readResponse(
        this.#response,
        this.#bounds,
        (excess) => new Error(`The response has ${excess}`),
      )
      return bytes.toString('utf8')
    } catch (error) {
      const why = this.#isLate() ? Stripe.HttpClient.makeTimeoutError() : error
      throw Stripe.HttpClient.makeResponseBodyError(why)
    }
  }
}
