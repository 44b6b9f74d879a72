import { EventEmitter } from 'node:events'
import pg from 'pg'
import { directUrl } from '#shared/platform/config/config.ts'
import { log } from '#shared/platform/log.ts'

/** The NOTIFY channels: `settled` for settled rows, `replies` for parts of replies. */
const CHANNELS = ['settled', 'replies'] as const
export type Channel = (typeof CHANNELS)[number]

/**
 * The notifications that this process receives, by channel. `lost`: the connection broke, so notifications may be lost.
 * `reconnected`: it works again.
 */
export const notifications = new EventEmitter<
  Record<Channel, [payload: string]> & { lost: []; reconnected: [] }
>().setMaxListeners(0)

const RECONNECT_MS = 500
let listener: Promise<pg.Client> | undefined
let reconnecting: NodeJS.Timeout | undefined
let closing = false

/** Starts to listen. Each process has one connection, which the first call opens. It is reopened when it breaks. */
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
    if (!closing) reconnecting = setTimeout(reconnect, RECONNECT_MS).unref()
  })
  client.on('notification', ({ channel, payload }) => notifications.emit(channel as Channel, payload ?? ''))
  await client.connect()
  await client.query(CHANNELS.map((channel) => `listen ${channel}`).join('; '))
  return client
}

// A failed attempt also emits `end`, which schedules the next one.
const reconnect = () =>
  listen().then(
    () => notifications.emit('reconnected'),
    () => {},
  )

/** Closes the listening connection at the end of a process or a test file. */
export async function stopListening(): Promise<void> {
  closing = true
  clearTimeout(reconnecting)
  const open = listener
  listener = undefined
  // A connection that could not be opened needs no end.
  const client = await open?.catch(() => undefined)
  await client?.end()
}
