import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { HeldRequests } from '#test/sandbox/gateway/held-requests.ts'

export const TILL_MODES = [
  'normal',
  'hang', // counted; answered when released
  'slow', // answered after `delay_ms`
  'dead', // the connection is reset
  'html', // 200 with an HTML page instead of JSON
  'cut', // truncated JSON
  'shape', // JSON of another schema
  'endless', // an endless body
  'redirect', // 302 to `location`
  'error', // 500
] as const

export interface TillBehaviour {
  mode: (typeof TILL_MODES)[number]
  delay_ms?: number
  location?: string
}

const CHUNK = `${'x'.repeat(16_384)}\n`

/** The till's behaviour, which a test sets. */
export class Conduct {
  readonly held = new HeldRequests()
  #behaviour: TillBehaviour = { mode: 'normal' }

  set(behaviour: TillBehaviour) {
    if (!TILL_MODES.includes(behaviour.mode))
      throw new TypeError(`\`mode\` is one of ${TILL_MODES.join(', ')}`)
    this.#behaviour = behaviour
  }

  /** Applies the behaviour. Returns true when the request is finished, false when the normal response follows. */
  async answer(response: ServerResponse): Promise<boolean> {
    const { mode, delay_ms = 1_000, location = 'http://169.254.169.254/latest/meta-data/' } = this.#behaviour
    switch (mode) {
      case 'normal':
        return false
      case 'hang':
        return (await this.held.hold(goneOf(response))) === 'gone'
      case 'slow':
        await delay(delay_ms)
        return false
      case 'dead':
        response.socket?.resetAndDestroy()
        return true
      case 'endless':
        pour(response)
        return true
      case 'redirect':
        response.writeHead(302, { location }).end()
        return true
      case 'error':
        response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":"out of paper"}')
        return true
      default:
        response.writeHead(200, { 'content-type': 'application/json' }).end(GARBAGE[mode])
        return true
    }
  }
}

const GARBAGE = {
  html: '<!doctype html><title>Sign in to the guest network</title>',
  cut: '{"items":[{"id":"item-00001","na',
  shape: '{"items":{"0":"item-00001"},"total":"many"}',
}

function goneOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return gone.signal
}

function pour(response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'application/json' })
  const more = () => {
    while (!response.destroyed && response.write(CHUNK));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}
