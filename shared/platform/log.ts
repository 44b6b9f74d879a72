import { type LoggerOptions, pino } from 'pino'

const SECRET_KEYS = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'access_token',
  'refresh_token',
  'client_secret',
  'x-service-key',
  'x-cart-token',
  'stripe-signature',
]
const secrets = SECRET_KEYS.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`])
// The error of a lost connection contains the whole client with its cancel key.
const paths = [...secrets, 'err.client']

const options: LoggerOptions = {
  level: process.env.LOG_LEVEL || 'info',
  base: { process: process.env.PROCESS_NAME ?? 'commerce' },
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
}

/** The process's log. Each entry is one JSON line on standard output. Secrets are redacted by key. */
export const log = pino({ ...options, redact: { paths, censor: '[redacted]' } })

const FLUSH_MS = 500
const CHUNK_LENGTH = 8_192
// The reader of the log may be slow. Past this length new lines are dropped.
const MAX_WAITING_LENGTH = 32 * 1024 * 1024
const output = pino.destination({ dest: 1, sync: false, maxLength: MAX_WAITING_LENGTH })
let lines = ''

// This replaces pino's own buffering, which measures the whole buffer again at each line.
function write(line: string): void {
  lines += line
  if (lines.length >= CHUNK_LENGTH) flush()
}

function flush(): void {
  if (lines) output.write(lines)
  lines = ''
}

setInterval(flush, FLUSH_MS).unref()
process.on('exit', () => {
  flush()
  output.flushSync()
})

/**
 * The log of successful requests and jobs. Its many entries have fixed fields without secrets, so they are written in
 * batches and without redaction.
 */
export const accessLog = pino(options, { write })
