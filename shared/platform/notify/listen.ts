import { EventEmitter } from 'node:events'
import pg from 'pg'
import { directUrl } from '../config/config.ts'
import { log } from '../log.ts'

/** What processes tell one another by NOTIFY: that a row is settled, and parts of an answer. */
const CHANNELS = ['settled', 'answers'] as const
export type Channel = (typeof CHANNELS)[number]

/**
 * What this process hears, by channel. `lost` says that the connection broke, so that something may have been missed;
 * `again` that it hears anew.
 */
export const notifications = new EventEmitter<
  Record<Channel, [payload: string]> & { lost: []; again: [] }
>().setMaxListeners(0)

const RECONNECT_MS = 500
let listener: Promise<pg.Client> | undefined
let closing = false

/** Makes sure that this process hears: one connection, opened when it is first needed and mended when it breaks. */
export function listen(): Promise<pg.Client> {
  listener ??= connect().catch((error) => {
    listener = undefined
    throw error
  })
  return listener
}

async function connect(): Promise<pg.Client> {
  closing = false
  const client = new pg.Client({
    connectionString: directUrl(),
    application_name: 'commerce-signals',
    keepAlive: true,
  })
  client.on('error', (error) => log.warn({ err: error }, 'signal connection failed'))
  client.on('end', () => {
    listener = undefined
    notifications.emit('lost')
    if (!closing) setTimeout(() => listen().then(announceReconnect, () => {}), RECONNECT_MS).unref()
  })
  client.on('notification', ({ channel, payload }) => notifications.emit(channel as Channel, payload ?? ''))
  await client.connect()
  await client.query(CHANNELS.map((channel) => `listen ${channel}`).join('; '))
  return client
}

const announceReconnect = () => notifications.emit('again')

/** Ends the listening connection, at the end of a process or of a test file. */
export async function stopListening(): Promise<void> {
  closing = true
  const open = listener
  listener = undefined
  await (await open)?.end()
}
