import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Exchange, reply } from './exchange.ts'

const LIBRARY = join(import.meta.dirname, 'browser', 'stripe.js')

/** Pages of any origin may call the API with a publishable key, as at Stripe. */
export const ANY_ORIGIN = { 'access-control-allow-origin': '*' }

/** Answers the question of a browser whether a page may call the API. */
export const answerPreflight = (exchange: Exchange): Promise<boolean> =>
  reply(
    exchange,
    { status: 200, body: {} },
    {
      ...ANY_ORIGIN,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'authorization, content-type',
    },
  )

/** Sends the stand-in of Stripe's browser library. */
export const sendLibrary = async (exchange: Exchange): Promise<boolean> =>
  reply(
    exchange,
    { status: 200, body: await readFile(LIBRARY, 'utf8') },
    { 'content-type': 'text/javascript; charset=utf-8' },
  )
