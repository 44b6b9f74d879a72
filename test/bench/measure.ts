import autocannon from 'autocannon'
import { median } from './median.ts'

export const CONNECTIONS = 32

export interface Load {
  url: string
  /** A body that is a function is another one in each request. */
  requests: {
    path: string
    method?: 'GET' | 'POST'
    body?: string | (() => string)
    headers?: Record<string, string>
  }[]
  headers?: Record<string, string>
  /** Default: 32. */
  connections?: number
  /** Each connection starts at a different request. Default: all start at the first. */
  isSpread?: boolean
}

/** Headers of a request from a network of its own. Each network has limits of its own. */
export const fromNetwork = (number: number) => ({ 'X-Forwarded-For': `198.18.${number}.1` })

export interface Measured {
  perSecond: number
  p50: number
  p99: number
}

/** Loads a server for some seconds. Throws on any unexpected response. */
export async function measure(
  { url, requests, headers, connections = CONNECTIONS, isSpread = false }: Load,
  seconds: number,
  expected = [200],
): Promise<Measured> {
  const all = requests.map(({ body, ...request }) => ({
    ...request,
    headers: { ...headers, ...request.headers },
    ...(typeof body === 'function'
      ? { setupRequest: (sent: object) => ({ ...sent, body: body() }) }
      : body === undefined
        ? {}
        : { body }),
  }))
  let begun = 0
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: all,
    setupClient(client) {
      if (!isSpread) return
      const first = Math.floor((begun++ * all.length) / connections)
      client.setRequests([...all.slice(first), ...all.slice(0, first)])
    },
  })
  const counts = result.statusCodeStats as Record<string, { count: number }> | undefined
  const wrong = Object.keys(counts ?? {}).filter((status) => !expected.includes(Number(status)))
  if (wrong.length || result.errors) throw new Error(`${url}: unexpected answers ${JSON.stringify(counts)}`)
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 }
}

/** Measures two loads alternately, so that drift of the machine's speed affects both. Returns the rounds' median. */
export async function compare(
  floor: Load,
  ours: Load,
  { rounds, seconds, expected }: { rounds: number; seconds: number; expected: number[] },
): Promise<{ floor: Measured; ours: Measured; ratio: number }> {
  await measure(floor, 1, expected)
  await measure(ours, 1, expected)
  const measured: { floor: Measured; ours: Measured }[] = []
  for (let round = 0; round < rounds; round++)
    measured.push({
      floor: await measure(floor, seconds, expected),
      ours: await measure(ours, seconds, expected),
    })
  const middle = (side: 'floor' | 'ours'): Measured => ({
    perSecond: median(measured.map((m) => m[side].perSecond)),
    p50: median(measured.map((m) => m[side].p50)),
    p99: median(measured.map((m) => m[side].p99)),
  })
  return {
    floor: middle('floor'),
    ours: middle('ours'),
    ratio: median(measured.map((m) => m.ours.perSecond / m.floor.perSecond)),
  }
}
