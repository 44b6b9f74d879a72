import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import Stripe from 'stripe'
import { type ResponseBounds, readResponse } from '#shared/platform/http/read-response.ts'
import { toShortText } from './stripe-values.ts'

// A hundred events of the largest kind have a fifth of the bytes, 2,000 values each and 50 names of metadata. Five
// million empty objects would exceed the memory of the process, and a million fields block it for eight seconds.
const MOST = { bytes: 16 * 1024 * 1024, levels: 32, values: 200_000, names: 10_000 }
// The largest object is a dispute with 150,000 characters of evidence. 16 MiB take up to 100 ms to parse.
const MOST_OF_OBJECT = { ...MOST, bytes: 2 * 1024 * 1024 }

const AGENTS = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) }
// As the library's own client.
const CIPHERS = 'DEFAULT:!aNULL:!eNULL:!LOW:!EXPORT:!SSLv2:!MD5'

type Call = Parameters<Stripe.HttpClient['makeRequest']>

/**
 * An HTTP client of the library whose time-out covers the whole call. The time of the library's own client starts again
 * with each byte, and its responses may have any size: a gateway that sends slowly would hold each job until it
 * expires, and its connection for longer, and an endless response, or one of many values, would fill the memory.
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
      const late = setTimeout(() => {
        isLate = true
        request.destroy(Stripe.HttpClient.makeTimeoutError())
      }, timeoutMs)
      request.once('close', () => {
        clearTimeout(late)
        // Node closes a connection that switches protocols (101) without an error.
        reject(new Error('The gateway closed the connection without a response'))
      })
      request.once('response', (response) =>
        resolve(new StripeHttpResponse(response, mostOf(path), () => isLate)),
      )
      request.on('error', reject)
      request.end(body)
    })
  }
}

// Only requests of lists have a `limit`.
const mostOf = (path: string): ResponseBounds => (/[?&]limit=/.test(path) ? MOST : MOST_OF_OBJECT)

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
  readonly #most: ResponseBounds
  readonly #isLate: () => boolean

  constructor(response: IncomingMessage, most: ResponseBounds, isLate: () => boolean) {
    super(response.statusCode ?? 0, response.headers as Record<string, string>)
    this.#response = response
    this.#most = most
    this.#isLate = isLate
  }

  override getRawResponse = (): IncomingMessage => this.#response

  /**
   * The library takes any object without `error` for a success, whatever its status, and its promise never settles for
   * a JSON text or number: the error ends the process. A proxy before the gateway may answer with either.
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
        this.#most,
        (excess) => new Error(`The response has ${excess}`),
      )
      return bytes.toString('utf8')
    } catch (error) {
      const why = this.#isLate() ? Stripe.HttpClient.makeTimeoutError() : error
      throw Stripe.HttpClient.makeResponseBodyError(why)
    }
  }
}
