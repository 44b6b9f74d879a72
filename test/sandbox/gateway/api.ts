import { setTimeout as delay } from 'node:timers/promises'
import { allowCaller, authenticate } from './access.ts'
import type { Arrivals } from './arrivals.ts'
import type { Books } from './books.ts'
import { ANY_ORIGIN } from './browser-access.ts'
import { brokenDown, cardError, GatewayError, refused } from './errors.ts'
import { API_VERSION, type Context } from './events.ts'
import { cut, type Exchange, reply, stepOf } from './exchange.ts'
import { expand } from './expand.ts'
import type { Fault, Faults } from './faults.ts'
import type { HeldRequests } from './held-requests.ts'
import type { Answer, Idempotency, KeyClaim } from './idempotency.ts'
import { parseForm, refuseUnknown } from './params.ts'
import { findRoute } from './routes.ts'
import type { Event } from './types.ts'

export type Api = {
  secretKey: string
  url: string
  books: Books
  arrivals: Arrivals
  faults: Faults
  held: HeldRequests
  idempotency: Idempotency | undefined
  listeners: number
  send(...events: Event[]): void
}

type Outcome = { answer: Answer; replayOf?: string }

/** Answers one call of Stripe's API, with the configured fault if any. */
export async function answerCall(api: Api, exchange: Exchange): Promise<void> {
  api.arrivals.note(stepOf(exchange, 'received'))
  const fault = api.faults.take(exchange.method, exchange.path)
  const outcome = await outcomeOf(api, exchange, fault)
  if (!outcome) return cut(exchange)

  if (fault?.mode === 'hang_after') await api.held.hold(exchange.gone)
  if (fault?.mode === 'timeout_after_success') return neverAnswer(exchange, fault)
  const answer = fault?.mode === 'error_after' ? answerFor(brokenDown()) : outcome.answer
  if (!(await reply(exchange, answer, headersFor(exchange, outcome)))) return
  const replayed = outcome.replayOf !== undefined
  api.arrivals.note({
    ...stepOf(exchange, 'replied'),
    status: answer.status,
    ...(replayed ? { replayed } : {}),
  })
}

/** Undefined: nothing was applied, and the connection is lost or must be reset. */
async function outcomeOf(
  api: Api,
  exchange: Exchange,
  fault: Fault | undefined,
): Promise<Outcome | undefined> {
  let claim: KeyClaim | undefined
  try {
    authenticate(exchange.headers, api.secretKey)
    claim = api.idempotency?.claim(exchange.idempotencyKey, exchange)
    if (!(await survivesFault(api, exchange, fault))) return undefined
    if (claim?.replay)
      return {
        answer: claim.replay.answer,
        replayOf: claim.replay.requestId,
      }
    return { answer: apply(api, exchange, fault, claim) }
  } catch (error) {
    return { answer: answerFor(error) }
  } finally {
    claim?.release()
  }
}

/** Applies the faults that precede any change. False: the request ends here without a response. */
async function survivesFault({ held }: Api, exchange: Exchange, fault: Fault | undefined): Promise<boolean> {
  if (fault?.mode === 'error_before') throw brokenDown()
  if (fault?.mode === 'refuse') return false
  if (fault?.mode === 'slow') await delay(fault.delay_ms ?? 0)
  if (fault?.mode === 'hang_before') return (await held.hold(exchange.gone)) === 'released'
  return true
}

/** Awaits nothing from the first change to the line in the journal, so that no other call sees a partial change. */
function apply(api: Api, exchange: Exchange, fault: Fault | undefined, claim: KeyClaim | undefined): Answer {
  const context: Context = {
    ...api,
    requestId: exchange.requestId,
    idempotencyKey: exchange.idempotencyKey ?? null,
  }
  let answer: Answer
  try {
    answer = { status: 200, body: runRoute(api, exchange, context, fault) }
    claim?.store(answer, exchange.requestId)
  } catch (error) {
    answer = answerFor(error)
    if (error instanceof GatewayError && error.isStored) claim?.store(answer, exchange.requestId)
  }
  const events = api.books.commit()
  if (exchange.method !== 'GET')
    api.arrivals.note({
      ...stepOf(exchange, 'applied'),
      status: answer.status,
    })
  api.send(...events)
  return answer
}

function runRoute(api: Api, exchange: Exchange, context: Context, fault: Fault | undefined): object {
  const { route, id } = findRoute(exchange.method, exchange.path)
  const params = parseForm(route.method === 'POST' ? exchange.body : exchange.query.toString())
  allowCaller(authenticate(exchange.headers, api.secretKey), route, context, params, id)
  refuseUnknown(params, route.takes)
  if (fault?.mode === 'decline') throw declineFor(exchange.path)
  return expand(context, route.answer(context, params, id), params)
}

function declineFor(path: string) {
  if (path.endsWith('/confirm')) {
    return cardError('Your card was declined.', {
      code: 'card_declined',
      decline_code: 'generic_decline',
    })
  }
  if (path !== '/v1/refunds') return refused('The request was refused (a fault was asked for).')
  return refused('The charge has been charged back, so it cannot be refunded.', { code: 'charge_disputed' })
}

function answerFor(error: unknown): Answer {
  if (!(error instanceof GatewayError)) throw error
  return { status: error.status, body: { error: error.body } }
}

function headersFor(exchange: Exchange, { replayOf }: Outcome) {
  return {
    ...ANY_ORIGIN,
    'request-id': exchange.requestId,
    'stripe-version': String(exchange.headers['stripe-version'] ?? API_VERSION),
    ...(exchange.idempotencyKey ? { 'idempotency-key': exchange.idempotencyKey } : {}),
    ...(replayOf ? { 'idempotent-replayed': 'true', 'original-request': replayOf } : {}),
  }
}

async function neverAnswer(exchange: Exchange, { delay_ms }: Fault) {
  if (delay_ms === undefined) return
  await delay(delay_ms, undefined, { signal: exchange.gone }).catch(() => undefined)
  cut(exchange)
}
