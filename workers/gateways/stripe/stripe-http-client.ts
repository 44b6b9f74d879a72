import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import Stripe from 'stripe'
import { readResponse } from '#shared/platform/http/read-response.ts'

// A hundred events of the largest kind have a fifth of the bytes, 2,000 values each and 50 names of metadata. Five
// million empty objects would exceed the memory of the process, and a million fields block it for eight seconds.
const MOST = { bytes: 16 * 1024 * 1024, levels: 32, values: 200_000, names: 10_000 }

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
      request.once('close', () => clearTimeout(late))
      request.once('response', (response) => resolve(new StripeHttpResponse(response, () => isLate)))
      request.on('error', reject)
      request.end(body)
    })
  }
}

class StripeHttpResponse extends Stripe.HttpClientResponse {
  readonly #response: IncomingMessage
  readonly #isLate: () => boolean

  constructor(response: IncomingMessage, isLate: () => boolean) {
    super(response.statusCode ?? 0, response.headers as Record<string, string>)
    this.#response = response
    this.#isLate = isLate
  }

  override getRawResponse = (): IncomingMessage => this.#response

  override async toJSON(): Promise<unknown> {
    return this._parseResponseBody(await this.#read())
  }

  async #read(): Promise<string> {
    try {
      const bytes = await readResponse(
        this.#response,
        MOST,
        (excess) => new Error(`The response has ${excess}`),
      )
      return bytes.toString('utf8')
    } catch (error) {
      const why = this.#isLate() ? Stripe.HttpClient.makeTimeoutError() : error
      throw Stripe.HttpClient.makeResponseBodyError(why)
    }
  }
}
