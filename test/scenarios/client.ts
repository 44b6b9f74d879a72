import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'

/** One reported call of a story: request line, status, short response, duration. */
export interface ReportedCall {
  line: string
  status: number
  brief: string
  ms: number
}

// biome-ignore lint/suspicious/noExplicitAny: a story reads any response; its assertions check the fields
type Json = any

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Json
  data: Json
}

interface Asked {
  headers?: Record<string, string>
  body?: unknown
  form?: Record<string, string>
  /** The URL of an outside system. Default: the service. */
  at?: string
}

/** An HTTP client that can send any Host header, as a browser on the store's own domain does. */
export class Client {
  readonly #baseUrl: string
  readonly #report: (call: ReportedCall) => void
  readonly #headers: Record<string, string>

  constructor(baseUrl: string, report: (call: ReportedCall) => void, headers: Record<string, string> = {}) {
    this.#baseUrl = baseUrl
    this.#report = report
    this.#headers = headers
  }

  /** The same client with additional headers. */
  as(headers: Record<string, string>): Client {
    return new Client(this.#baseUrl, this.#report, { ...this.#headers, ...headers })
  }

  /** Calls an operation and reports the call. */
  async call(line: string, asked: Asked = {}): Promise<Answer> {
    const started = performance.now()
    const answer = await this.quietly(line, asked)
    this.#report({ line, status: answer.status, brief: briefOf(answer), ms: performance.now() - started })
    return answer
  }

  /** Calls an operation without a report, for polling. */
  async quietly(line: string, { headers, body, form, at }: Asked = {}): Promise<Answer> {
    const [method = 'GET', path = '/'] = line.split(' ')
    const url = new URL(at ?? this.#baseUrl)
    const content = form
      ? new URLSearchParams(form).toString()
      : body === undefined
        ? ''
        : JSON.stringify(body)
    const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
    const request = httpRequest({
      method,
      // *.localhost is this machine, even if its resolver does not know the name.
      host: url.hostname.endsWith('localhost') ? '127.0.0.1' : url.hostname,
      port: url.port,
      path: at ? path : `/api/v1${path}`,
      headers: { ...(at ? {} : this.#headers), ...(content ? { 'Content-Type': type } : {}), ...headers },
    })
    request.end(content)
    const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) =>
      request.once('response', resolve).once('error', reject),
    )
    const raw = await text(response)
    const parsed = raw ? JSON.parse(raw) : null
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: parsed,
      data: parsed?.data ?? null,
    }
  }
}

const BRIEF_LENGTH = 110
const BRIEF_FIELDS = [
  'status',
  'number',
  'slug',
  'name',
  'total',
  'amount',
  'amount_refunded',
  'past_charges',
  'next_charge_at',
  'subject',
  'code',
  'email',
  'url',
  'now',
  'settled',
]

/** A short form of a response: the number of rows, or the main fields. */
function briefOf({ body }: Answer): string {
  if (body?.error_code) return `${body.error_code}: ${body.error}`.slice(0, BRIEF_LENGTH)
  const data = body?.data ?? body
  if (Array.isArray(data))
    return `${body.meta?.total ?? data.length} rows, first: ${fieldsOf(data[0])}`.slice(0, BRIEF_LENGTH)
  return fieldsOf(data).slice(0, BRIEF_LENGTH)
}

function fieldsOf(data: Json): string {
  if (data === null || typeof data !== 'object') return String(data)
  const inner = Object.entries(data).filter(
    ([, value]) =>
      value !== null &&
      typeof value === 'object' &&
      !Array.isArray(value) &&
      BRIEF_FIELDS.some((field) => field in value),
  )
  const own = BRIEF_FIELDS.filter((name) => name in data).map((name) => `${name} ${data[name]}`)
  return [
    ...own,
    ...inner.map(
      ([name, value]) =>
        `${name} {${BRIEF_FIELDS.filter((n) => n in (value as object))
          .map((n) => `${n} ${(value as Json)[n]}`)
          .join(', ')}}`,
    ),
  ].join(', ')
}
